// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/heatmap_chart.h"

#include <QSettings>
#include <algorithm>
#include <cmath>

#include "core/figure/panel_sentence.h"
#include "ui/chart/axes.h"
#include "ui/chart/meaning.h"

namespace equipatch {
namespace {

FigureMap::Colours coloursOf(bool byChannel, bool logarithmic) {
  using Kind = FigureMap::Colours;
  if (byChannel) return logarithmic ? Kind::AroundZero : Kind::AroundZeroEvenly;
  return logarithmic ? Kind::FromZero : Kind::FromZeroEvenly;
}

}  // namespace

HeatmapChart::HeatmapChart(const RunModel& model, Selection& selection,
                           const Theme& theme, QWidget* parent)
    : ChartView(tr("Patch map"), theme, parent),
      m_model(model),
      m_selection(selection),
      m_views(new ChoiceBox(this)),
      m_log(new QCheckBox(tr("log"), this)) {
  m_views->setObjectName(QStringLiteral("heatmapView"));
  m_views->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_views->setAccessibleName(tr("What the map shows"));
  m_views->setToolTip(
      tr("The change of each channel at the selected step, or the size of each layer's "
         "change at all steps.\nΔm: %1\nΔW: %2")
          .arg(meaningOf(QStringLiteral("Δm")), meaningOf(QStringLiteral("ΔW"))));
  m_log->setObjectName(QStringLiteral("heatmapLog"));
  m_log->setAccessibleName(tr("Logarithmic colours"));
  m_log->setToolTip(
      tr("A logarithmic colour scale; where values are positive and negative, it is "
         "logarithmic on both sides of 0."));
  m_log->setChecked(QSettings().value(kLogarithmicKey, true).toBool());
  addControl(m_views);
  addControl(m_log);
  buildMap();
  connectAll();
  restyleMap();
}

void HeatmapChart::buildMap() {
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
  connect(&m_model, &RunModel::runStarted, this, &HeatmapChart::begin);
  connect(&m_model, &RunModel::stepsAppended, this, &HeatmapChart::append);
  connect(&m_selection, &Selection::stepChanged, this, &HeatmapChart::stepChanged);
  connect(&m_selection, &Selection::layerChanged, this, &HeatmapChart::showSelection);
  connect(m_views, &QComboBox::currentIndexChanged, this, &HeatmapChart::rebuild);
  connect(m_views, &QComboBox::currentTextChanged, this,
          [this](const QString& view) { m_wanted = view; });
  connect(m_log, &QCheckBox::toggled, this, &HeatmapChart::rebuild);
  connect(m_log, &QCheckBox::toggled, this,
          [](bool on) { QSettings().setValue(kLogarithmicKey, on); });
  connect(this, &ChartView::clicked, this, &HeatmapChart::pick);
  connect(this, &ChartView::restyled, this, &HeatmapChart::restyleMap);
  connect(this, &ChartView::rowPicked, &m_selection, [this](double key) {
    if (!isByChannel()) m_selection.selectStep(int(std::lround(key)));
  });
  connect(this, &ChartView::keyMoved, &m_selection, [this](int byKey, int byValue) {
    if (byKey != 0) m_selection.moveStep(byKey);
    if (byValue != 0) m_selection.moveLayer(byValue);
  });
  connect(&plot(), &QCustomPlot::afterLayout, this, &HeatmapChart::poolCells);
}

const PatchSize* HeatmapChart::chosenSize() const {
  const int size = m_views->currentIndex() < 0 ? -1 : m_views->currentData().toInt();
  return size < 0 ? nullptr : &m_sizes[std::size_t(size)];
}

void HeatmapChart::begin() {
  setDataVisible(false);
  if (!m_model.header()) return setNote({});
  const RunHeader& header = *m_model.header();
  const QSignalBlocker quiet(m_views);
  m_views->clear();
  m_sizes = patchSizes(header, PatchMeasure::Absolute);
  const auto add = [this](const QString& text, const QString& brief, int size) {
    m_views->addItem(text, size);
    m_views->setItemData(m_views->count() - 1, brief, ChoiceBox::kBriefRole);
  };
  if (header.closesWithScale) add(tr("Δm by channel"), tr("Δm"), -1);
  for (std::size_t i = 0; i < m_sizes.size(); ++i) {
    const QString name = QString::fromStdString(m_sizes[i].name);
    add(tr("%1 by step").arg(name), name.section(u' ', -1), int(i));  // "down"
  }
  const int same = m_views->findText(m_wanted);
  const int closing = header.closesWithBias ? m_views->count() - 1
                                            : m_views->findText(tr("ΔW down by step"));
  m_views->setCurrentIndex(same >= 0                ? same
                           : header.closesWithScale ? 0
                                                    : std::max(0, closing));
  setNote(header.closesWithScale ? QString()
          : header.closesWithBias
              ? tr("This model\'s blocks close with a bias instead of a norm scale, so "
                   "the map has Δb in place of Δm.")
              : tr("No norm scale closes this model\'s blocks, so there "
                   "is no Δm to show."));
  if (!isLocked()) resetZoom();
  rebuild();
}

/// Adds the steps that the map does not have yet.
void HeatmapChart::append() {
  const PatchSize* size = chosenSize();
  if (!size) return;
  appendPoints([&](FigurePanel& panel) {
    for (int i = panel.map->grid.columns(); i < m_model.stepCount(); ++i)
      addColumn(m_model.step(i), *size, panel);
  });
  showGrid();
}

void HeatmapChart::stepChanged(int step) {
  setMarker(isByChannel() ? Selection::kNone : step);
  isByChannel() ? rebuild() : showSentence();
}

FigurePanel HeatmapChart::wholePanel() const {
  if (!m_model.header()) return {};
  const PatchSize* size = chosenSize();
  if (size) {
    FigurePanel panel = sizeMapPanel(*m_model.header(), *size);
    for (const RunModel::Record& step : m_model.records()) addColumn(*step, *size, panel);
    return panel;
  }
  if (!m_model.find(m_selection.step())) return {};
  return scaleMapPanel({{}, m_model.sharedHeader(), m_model.records()},
                       StepIndex(m_selection.step()));
}

void HeatmapChart::rebuild() {
  FigurePanel panel = wholePanel();
  if (panel.map) panel.map->colours = coloursOf(isByChannel(), m_log->isChecked());
  setPanel(std::move(panel));
  const StepRecord* record = m_model.find(m_selection.step());
  setTitle(isByChannel() && record ? tr("Patch map, step %1").arg(record->step.value)
                                   : tr("Patch map"),
           tr("Patch map"));
  setMarker(isByChannel() ? Selection::kNone : m_selection.step());
  showGrid();
}

void HeatmapChart::showGrid() {
  const bool empty = !panel().map || panel().map->grid.empty();
  setDataVisible(!empty);
  if (empty) return;
  showSentence();
  m_colours = MapColours(*panel().map);
  m_scale->axis()->setTicker(m_colours->ticker());
  keepTicksApart(*m_scale->axis());
  m_map->setDataRange(m_colours->range());
  restyleMap();
  m_pooledCells = 0;
  refresh();
}

Figure HeatmapChart::figure() const {
  Figure figure = ChartView::figure();
  figure.title += ": " + m_views->currentText().toStdString();
  return figure;
}

void HeatmapChart::showSentence() {
  const std::optional<int> column =
      isByChannel() ? std::nullopt : std::optional(m_selection.step());
  setSentence(QString::fromStdString(mapSentence(panel(), column)));
}

void HeatmapChart::poolCells() {
  if (!m_colours || !panel().map) return;
  const QCPRange range = plot().xAxis->range();
  const int cells = std::max(1, plot().axisRect()->width());
  if (cells == m_pooledCells && range == m_pooledRange) return;
  m_pooledCells = cells;
  m_pooledRange = range;
  const PooledGrid pooled =
      pool(panel().map->grid, range.lower + 0.5, range.upper + 0.5, cells);
  fillColourMap(*m_map, pooled, *m_colours);
}

void HeatmapChart::showSelection() {
  const int layer = m_selection.layer();
  m_layerLine->setVisible(layer != Selection::kNone);
  m_layerLine->point1->setCoords(0.0, layer);
  m_layerLine->point2->setCoords(1.0, layer);
  plot().replot(QCustomPlot::rpQueuedReplot);
}

void HeatmapChart::pick(double key, double value) {
  m_selection.selectLayer(int(std::lround(value)));
  if (!isByChannel()) m_selection.selectStep(int(std::lround(key)));
}

void HeatmapChart::restyleMap() {
  if (m_colours) m_map->setGradient(m_colours->gradient(theme().colours()));
  m_scale->setGradient(m_map->gradient());
  m_scale->setDataRange(m_map->dataRange());
  styleAxis(*m_scale->axis(), theme().colours(), font());
  m_scale->axis()->setSubTickPen(Qt::NoPen);
  // QCustomPlot does not draw a label that the widget's edge would cut.
  const int half = QFontMetrics(m_scale->axis()->tickLabelFont()).height() / 2 + 1;
  m_scale->setMinimumMargins({0, half, 0, half});
  m_layerLine->setPen(QPen(theme().colours().accent, 1.2, Qt::DotLine));
  plot().replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace equipatch
