#include "ui/chart/chart_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/chart/axes.h"

namespace equipatch {
namespace {

constexpr int kClickTolerance = 4;  // pixels the mouse may move in a click
constexpr double kZoomStep = 0.8;
constexpr double kPanStep = 0.2;  // of the width

QLabel* makeLabel(const QString& name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(name);
  label->setWordWrap(true);
  return label;
}

/// No more whole numbers along the axis than there is room for.
/// @returns whether that changes anything.
bool fitTicks(const QCPAxis& axis) {
  constexpr int kMost = 6;
  const auto ticker = axis.ticker().dynamicCast<IntegerTicker>();
  if (!ticker) return false;
  const QFontMetricsF metrics(axis.tickLabelFont());
  const QString longest = QString::number(std::llround(axis.range().upper));
  const double slot = metrics.horizontalAdvance(longest + QStringLiteral("00"));
  const int count = std::clamp(int(axis.axisRect()->width() / slot), 2, kMost);
  const bool changes = count != ticker->tickCount();
  ticker->setTickCount(count);
  return changes;
}

}  // namespace

ChartView::ChartView(const QString& title, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_title(new ElidedLabel(this)),
      m_note(makeLabel(QStringLiteral("chartNote"), this)),
      m_empty(makeLabel(QStringLiteral("chartEmpty"), this)),
      m_header(new QHBoxLayout),
      m_legend(new Legend(this)),
      m_pages(new QStackedWidget(this)),
      m_plot(new QCustomPlot(this)),
      m_table(new ChartTable(this)),
      m_tableSwitch(new QToolButton(this)),
      m_marker(new QCPItemStraightLine(m_plot)),
      m_usualType(font().pointSizeF()) {
  setObjectName(QStringLiteral("chart"));
  setAttribute(Qt::WA_StyledBackground);
  setFocusPolicy(Qt::StrongFocus);
  setTitle(title);
  setNote({});
  m_title->setObjectName(QStringLiteral("chartTitle"));
  m_empty->setAlignment(Qt::AlignCenter);
  m_header->addWidget(m_title, 1);
  m_header->setSpacing(6);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_plot);
  m_pages->addWidget(m_table);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 5, 6, 3);
  layout->setSpacing(2);
  layout->addLayout(m_header);
  layout->addWidget(m_note);
  layout->addWidget(m_legend);
  layout->addWidget(m_pages, 1);
  buildPlot();
  buildTableSwitch();
  connectPlot();
  setHasData(false);
  restyle();
}

void ChartView::buildPlot() {
  m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  m_plot->setMinimumSize(120, 80);
  m_plot->setFocusPolicy(Qt::NoFocus);
  m_plot->setNoAntialiasingOnDrag(true);
  m_plot->setPlottingHint(QCP::phFastPolylines);
  m_plot->axisRect()->setupFullAxesBox();
  m_plot->axisRect()->setMinimumMargins(QMargins(4, 4, 8, 4));
  m_plot->xAxis->setTicker(QSharedPointer<IntegerTicker>::create());
  m_plot->xAxis2->setTicks(false);
  m_plot->yAxis2->setTicks(false);
  m_plot->axisRect()->setRangeZoomAxes({m_plot->xAxis}, {m_plot->yAxis});
  m_marker->setVisible(false);
}

void ChartView::buildTableSwitch() {
  m_tableSwitch->setObjectName(QStringLiteral("tableSwitch"));
  m_tableSwitch->setText(QStringLiteral("▦"));
  m_tableSwitch->setAccessibleName(tr("As a table"));
  m_tableSwitch->setToolTip(tr("Read the chart as a table, or copy it (T)"));
  m_tableSwitch->setAutoRaise(true);
  m_tableSwitch->setCheckable(true);
  m_tableSwitch->setFocusPolicy(Qt::TabFocus);
  m_header->addWidget(m_tableSwitch);
  m_tableSource = [this] { return seriesTable(); };
  connect(m_tableSwitch, &QToolButton::toggled, this, [this](bool on) {
    const bool focused = hasFocus() || m_table->hasFocus();
    showPage();
    refresh();
    if (focused) (on ? static_cast<QWidget*>(m_table) : this)->setFocus();
  });
}

void ChartView::connectPlot() {
  connect(&m_theme, &Theme::changed, this, &ChartView::restyle);
  connect(m_legend, &Legend::toggled, this, &ChartView::applyVisibility);
  connect(m_plot, &QCustomPlot::afterLayout, this, [this] {
    if (fitTicks(*m_plot->xAxis)) m_plot->replot(QCustomPlot::rpQueuedReplot);
  });
  connect(m_plot, &QCustomPlot::mouseMove, this, &ChartView::mouseMoved);
  connect(m_plot, &QCustomPlot::mouseRelease, this, &ChartView::mouseReleased);
  connect(m_plot, &QCustomPlot::beforeReplot, this, [this] {
    for (const Series& series : m_series) dress(series);
  });
  connect(m_plot, &QCustomPlot::mouseWheel, this, [this] { m_fitted = false; });
  connect(m_plot, &QCustomPlot::mouseDoubleClick, this, &ChartView::resetZoom);
  connect(m_plot, &QCustomPlot::mousePress, this,
          [this](QMouseEvent* event) { m_pressed = event->pos(); });
}

void ChartView::setTitle(const QString& title, const QString& brief) {
  m_title->setText(title);
  m_title->setBrief(brief);
  setAccessibleName(title);
  m_table->setAccessibleName(tr("%1, as a table").arg(title));
}

void ChartView::setNote(const QString& note) {
  m_note->setText(note);
  m_note->setVisible(!note.isEmpty());
}

void ChartView::setEmptyText(const QString& text) {
  m_empty->setText(text);
}

void ChartView::setHasData(bool hasData) {
  m_hasData = hasData;
  showPage();
  for (QWidget* control : m_controls) control->setVisible(hasData);
  m_tableSwitch->setVisible(hasData);
}

void ChartView::showPage() {
  m_pages->setCurrentIndex(!m_hasData ? 0 : isTable() ? 2 : 1);
  m_legend->setVisible(m_hasData && !isTable() && m_legend->count() > 0);
}

void ChartView::addControl(QWidget* control) {
  m_header->insertWidget(m_header->indexOf(m_tableSwitch), control);
  m_controls << control;
  control->setVisible(hasData());
}

QCPGraph* ChartView::addSeries(const SeriesStyle& style) {
  QCPGraph* graph = m_plot->addGraph();
  graph->setName(style.name);
  graph->setAdaptiveSampling(true);
  m_series.append({graph, style});
  dress(m_series.last());
  m_legend->add(style, m_theme.colours());
  return graph;
}

void ChartView::removeAllSeries() {
  for (const Series& series : m_series) m_plot->removeGraph(series.graph);
  m_series.clear();
  m_legend->clear();
}

void ChartView::setSeriesPresent(QCPGraph* graph, bool present) {
  for (int i = 0; i < m_series.size(); ++i) {
    if (m_series[i].graph != graph) continue;
    m_series[i].present = present;
    m_legend->setPresent(i, present);
    applyVisibility(i);
  }
}

void ChartView::applyVisibility(int index) {
  const Series& series = m_series.at(index);
  series.graph->setVisible(series.present && m_legend->isOn(index));
  refresh();
}

void ChartView::setAxisLabels(const QString& key, const QString& value) {
  m_plot->xAxis->setLabel(key);
  m_plot->yAxis->setLabel(value);
}

void ChartView::setMarker(int key) {
  m_markerKey = key;
  m_marker->setVisible(key >= 0);
  m_marker->point1->setCoords(key, 1.0);
  m_marker->point2->setCoords(key, 2.0);
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::setDescription(std::function<QString(double, double)> describe) {
  m_describe = std::move(describe);
}

void ChartView::setFit(std::function<void()> fit) {
  m_fit = std::move(fit);
}

void ChartView::setTableSource(std::function<TableData()> source) {
  m_tableSource = std::move(source);
}

TableData ChartView::seriesTable() const {
  TableData table{{m_plot->xAxis->label()}, {}};
  QList<const QCPGraph*> graphs;
  for (const Series& series : m_series) {
    if (!series.present) continue;
    graphs << series.graph;
    table.columns << series.style.name;
  }
  if (graphs.isEmpty()) return table;
  for (const QCPGraphData& point : *graphs.first()->data()) {
    std::vector<double> row{point.key};
    for (const QCPGraph* graph : graphs) {
      const auto found = graph->data()->findBegin(point.key, false);
      const bool exists = found != graph->data()->constEnd() && found->key == point.key;
      row.push_back(exists ? plottedValue(found->value) : NAN);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void ChartView::refresh() {
  if (m_hasData && isTable()) m_table->setTable(m_tableSource());
  if (m_fitted && m_fit) m_fit();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::resetZoom() {
  m_fitted = true;
  refresh();
}

void ChartView::zoom(double factor) {
  m_fitted = false;
  QCPAxis* axis = m_plot->xAxis;
  axis->scaleRange(factor, m_marker->visible() ? m_markerKey : axis->range().center());
  refresh();
}

void ChartView::pan(double widths) {
  m_fitted = false;
  m_plot->xAxis->moveRange(widths * m_plot->xAxis->range().size());
  refresh();
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (shift && event->key() == Qt::Key_Left) return pan(-kPanStep);
  if (shift && event->key() == Qt::Key_Right) return pan(kPanStep);
  switch (event->key()) {
    case Qt::Key_Left:
      Q_EMIT keyMoved(-1, 0);
      break;
    case Qt::Key_Right:
      Q_EMIT keyMoved(1, 0);
      break;
    case Qt::Key_Up:
      Q_EMIT keyMoved(0, 1);
      break;
    case Qt::Key_Down:
      Q_EMIT keyMoved(0, -1);
      break;
    case Qt::Key_Plus:
      zoom(kZoomStep);
      break;
    case Qt::Key_Minus:
      zoom(1.0 / kZoomStep);
      break;
    case Qt::Key_0:
      resetZoom();
      break;
    case Qt::Key_T:
      if (m_hasData) m_tableSwitch->toggle();
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

void ChartView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) restyle();
}

void ChartView::mouseMoved(QMouseEvent* event) {
  const bool dragged = (event->pos() - m_pressed).manhattanLength() > kClickTolerance;
  if (event->buttons() & Qt::LeftButton && dragged) m_fitted = false;
  if (event->buttons() || !m_describe) return;
  const bool inside = m_plot->axisRect()->rect().contains(event->pos());
  const QString text = inside ? m_describe(m_plot->xAxis->pixelToCoord(event->pos().x()),
                                           m_plot->yAxis->pixelToCoord(event->pos().y()))
                              : QString();
  QToolTip::showText(event->globalPosition().toPoint(), text, m_plot);
}

void ChartView::mouseReleased(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  if ((event->pos() - m_pressed).manhattanLength() > kClickTolerance) return;
  if (!m_plot->axisRect()->rect().contains(event->pos())) return;
  Q_EMIT clicked(m_plot->xAxis->pixelToCoord(event->pos().x()),
                 m_plot->yAxis->pixelToCoord(event->pos().y()));
}

void ChartView::dress(const Series& series) const {
  const double size = std::max(1.0, font().pointSizeF() / m_usualType);
  SeriesStyle style = enlarged(series.style, size);
  const Colours& colours = m_theme.colours();
  const int points = series.graph->dataCount();
  // A single point has no line to be seen by.
  if (points == 1 && style.shape == QCPScatterStyle::ssNone)
    style.shape = QCPScatterStyle::ssDisc;
  series.graph->setPen(penOf(style, colours, points));
  series.graph->setScatterStyle(scatterOf(style, colours));
}

void ChartView::restyle() {
  const Colours& c = m_theme.colours();
  m_plot->setBackground(c.surface);
  for (QCPAxis* axis : m_plot->axisRect()->axes()) styleAxis(*axis, c, font());
  for (const Series& series : m_series) dress(series);
  m_marker->setPen(QPen(c.accent, 1.2, Qt::DotLine));
  m_legend->restyle(c);
  Q_EMIT restyled();
  m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace equipatch
