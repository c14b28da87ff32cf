#include "ui/chart/heatmap_chart.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/chart/axes.h"
#include "ui/chart/colour_map.h"
#include "ui/chart/number_text.h"
#include "ui/chart/series_style.h"

namespace equipatch {

HeatmapChart::HeatmapChart(const RunModel& model, Selection& selection,
                           const Theme& theme, QWidget* parent)
    : ChartView(tr("Patch map"), theme, parent),
      m_model(model),
      m_selection(selection),
      m_views(new QComboBox(this)),
      m_log(new QCheckBox(tr("log"), this)) {
  m_views->setObjectName(QStringLiteral("heatmapView"));
  m_views->setAccessibleName(tr("What the map shows"));
  m_views->setToolTip(
      tr("Δm of the selected step, or the norms ‖Δm‖, ‖ΔW‖ of all steps"));
  m_log->setObjectName(QStringLiteral("heatmapLog"));
  m_log->setAccessibleName(tr("Logarithmic colours"));
  m_log->setToolTip(
      tr("Colours on a logarithmic scale, of both signs where there are two"));
  addControl(m_views);
  addControl(m_log);
  buildMap();
  connectAll();
  restyleMap();
}

void HeatmapChart::buildMap() {
  plot().yAxis->setTicker(QSharedPointer<IntegerTicker>::create());
  m_map = new QCPColorMap(plot().xAxis, plot().yAxis);
  m_map->setInterpolate(false);
  m_map->setTightBoundary(false);
  m_map->setAntialiased(false);
  m_scale = new QCPColorScale(&plot());
  m_scale->setType(QCPAxis::atRight);
  m_scale->setBarWidth(10);
  m_scale->setRangeDrag(false);
  m_scale->setRangeZoom(false);
  plot().plotLayout()->addElement(0, 1, m_scale);
  auto* margins = new QCPMarginGroup(&plot());
  plot().axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
  m_scale->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
  m_layerLine = new QCPItemStraightLine(&plot());
  m_layerLine->setVisible(false);
}

void HeatmapChart::connectAll() {
  connect(&m_model, &RunModel::begun, this, &HeatmapChart::begin);
  connect(&m_model, &RunModel::appended, this, &HeatmapChart::append);
  connect(&m_selection, &Selection::stepChanged, this, &HeatmapChart::stepChanged);
  connect(&m_selection, &Selection::layerChanged, this, &HeatmapChart::showSelection);
  connect(m_views, &QComboBox::currentIndexChanged, this, &HeatmapChart::rebuild);
  connect(m_log, &QCheckBox::toggled, this, &HeatmapChart::showGrid);
  connect(this, &ChartView::clicked, this, &HeatmapChart::pick);
  connect(this, &ChartView::restyled, this, &HeatmapChart::restyleMap);
  connect(this, &ChartView::keyMoved, &m_selection, [this](int byKey, int byValue) {
    m_selection.moveStep(byKey);
    m_selection.moveLayer(byValue);
  });
  connect(&plot(), &QCustomPlot::afterLayout, this, &HeatmapChart::poolCells);
  setDescription([this](double key, double value) { return describe(key, value); });
  setFit([this] { fit(); });
  setTableSource([this] { return gridTable(); });
}

/// A row a channel or step, a column a layer.
TableData HeatmapChart::gridTable() const {
  TableData table{{plot().xAxis->label()}, {}};
  for (int layer = 0; layer < m_grid.layers(); ++layer)
    table.columns << tr("layer %1").arg(layer);
  for (int column = 0; column < m_grid.columns(); ++column) {
    std::vector<double> row{double(column)};
    for (int layer = 0; layer < m_grid.layers(); ++layer)
      row.push_back(double(m_grid.at(layer, column)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

HeatmapChart::View HeatmapChart::view() const {
  return View(m_views->currentData().toInt());
}

void HeatmapChart::begin() {
  const RunHeader& header = *m_model.header();
  const QSignalBlocker quiet(m_views);
  const QString before = m_views->currentText();
  m_views->clear();
  if (header.closesWithScale) {
    m_views->addItem(tr("Δm by channel"), int(View::ScaleByChannel));
    m_views->addItem(tr("Δm by step"), int(View::ScaleByStep));
  }
  if (header.closesWithBias) m_views->addItem(tr("Δb by step"), int(View::BiasByStep));
  for (const std::string& matrix : header.patchedMatrices)
    m_views->addItem(tr("ΔW %1 by step").arg(matrixLabel(matrix)),
                     int(View::MatrixByStep));
  const int last = m_views->findText(tr("ΔW down by step"));
  const int same = m_views->findText(before);
  m_views->setCurrentIndex(same >= 0 ? same
                           : header.closesWithScale || header.closesWithBias
                               ? 0
                               : std::max(0, last));
  setNote(header.closesWithScale ? QString()
          : header.closesWithBias
              ? tr("A bias closes this model\'s blocks: Δb stands for Δm.")
              : tr("No norm scale closes this model\'s blocks, so there "
                   "is no Δm to show."));
  setHasData(false);
  resetZoom();
  rebuild();
}

void HeatmapChart::append(int first) {
  if (view() != View::ScaleByChannel) {
    addColumns(first);
    showGrid();
  }
}

void HeatmapChart::stepChanged(int step) {
  setMarker(view() == View::ScaleByChannel ? Selection::kNone : step);
  if (view() == View::ScaleByChannel) rebuild();
}

void HeatmapChart::rebuild() {
  const bool byChannel = view() == View::ScaleByChannel;
  const StepRecord* record = m_model.find(m_selection.step());
  m_grid = {};
  if (byChannel && record) m_grid = scaleDeltaGrid(*record);
  if (!byChannel && m_model.header()) m_grid = HeatGrid(int(m_model.header()->layers), 0);
  if (!byChannel) addColumns(0);
  setAxisLabels(byChannel ? tr("channel") : tr("step"), tr("layer"));
  setTitle(
      byChannel && record ? tr("Map, step %1").arg(record->step.value) : tr("Patch map"),
      tr("Map"));
  setMarker(byChannel ? Selection::kNone : m_selection.step());
  showGrid();
}

/// What the chosen view shows of a layer; NaN where the layer has no such thing.
double HeatmapChart::quantity(const LayerRecord& layer) const {
  if (view() == View::ScaleByStep) return layer.scaleNorm;
  if (view() == View::BiasByStep) return layer.biasNorm;
  const int first = m_views->findData(int(View::MatrixByStep));
  const auto matrix = std::size_t(m_views->currentIndex() - first);
  const MatrixPatchNorm* norm = layer.find(m_model.header()->patchedMatrices[matrix]);
  return norm ? norm->norm : NAN;
}

void HeatmapChart::addColumns(int first) {
  for (int i = first; i < m_model.stepCount(); ++i) {
    std::vector<float> column;
    for (const LayerRecord& layer : m_model.step(i).layers)
      column.push_back(float(quantity(layer)));
    m_grid.addColumn(column);
  }
}

void HeatmapChart::showGrid() {
  setHasData(!m_grid.empty());
  if (m_grid.empty()) return;
  const bool both = view() == View::ScaleByChannel;
  using Kind = ColourTransform::Kind;
  m_transform = ColourTransform(m_log->isChecked() ? Kind::SymmetricLog : Kind::Linear,
                                double(m_grid.largest()));
  m_scale->axis()->setTicker(m_transform.ticker(both ? ColourTransform::Signs::Both
                                                     : ColourTransform::Signs::Positive));
  m_map->setDataRange({both ? -m_transform.end() : 0.0, m_transform.end()});
  restyleMap();
  m_pooledCells = 0;
  refresh();
}

void HeatmapChart::poolCells() {
  const QCPRange range = plot().xAxis->range();
  const int cells = std::max(1, plot().axisRect()->width());
  if (cells == m_pooledCells && range == m_pooledRange) return;
  m_pooledCells = cells;
  m_pooledRange = range;
  const PooledGrid pooled = pool(m_grid, range.lower + 0.5, range.upper + 0.5, cells);
  fillColourMap(*m_map, pooled, m_transform);
}

void HeatmapChart::showSelection() {
  const int layer = m_selection.layer();
  m_layerLine->setVisible(layer != Selection::kNone);
  m_layerLine->point1->setCoords(0.0, layer);
  m_layerLine->point2->setCoords(1.0, layer);
  plot().replot(QCustomPlot::rpQueuedReplot);
}

void HeatmapChart::fit() {
  plot().xAxis->setRange(-0.5, std::max(1, m_grid.columns()) - 0.5);
  plot().yAxis->setRange(-0.5, std::max(1, m_grid.layers()) - 0.5);
}

void HeatmapChart::pick(double key, double value) {
  m_selection.selectLayer(int(std::lround(value)));
  if (view() != View::ScaleByChannel) m_selection.selectStep(int(std::lround(key)));
}

void HeatmapChart::restyleMap() {
  const bool both = view() == View::ScaleByChannel;
  m_map->setGradient(both ? divergingGradient(theme().colours()) : sequentialGradient());
  m_scale->setGradient(m_map->gradient());
  m_scale->setDataRange(m_map->dataRange());
  styleAxis(*m_scale->axis(), theme().colours(), font());
  m_scale->axis()->setSubTickPen(Qt::NoPen);
  m_layerLine->setPen(QPen(theme().colours().accent, 1.2, Qt::DotLine));
  plot().replot(QCustomPlot::rpQueuedReplot);
}

QString HeatmapChart::describe(double key, double value) const {
  const long column = std::lround(key);
  const long layer = std::lround(value);
  if (column < 0 || column >= m_grid.columns() || layer < 0 || layer >= m_grid.layers())
    return {};
  const QString place = view() == View::ScaleByChannel ? tr("channel") : tr("step");
  return tr("layer %1, %2 %3\n%4")
      .arg(layer)
      .arg(place)
      .arg(column)
      .arg(numberText(double(m_grid.at(int(layer), int(column)))));
}

}  // namespace equipatch
