// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_view.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/figure/panel_reading.h"
#include "ui/chart/axes.h"
#include "ui/chart/number_text.h"
#include "ui/chart/row_scroll_bar.h"
#include "ui/chart/small_widgets.h"

namespace equipatch {
namespace {

constexpr int kClickTolerance = 4;  // pixels the mouse may move in a click
constexpr double kZoomStep = 0.8;
constexpr double kPanStep = 0.2;     // of the width
constexpr int kFar = 1'000'000'000;  // beyond every chart's end
constexpr int kPage = 10;

/// The wheel and drags have no effect over the colour scale of a map.
bool isOverColourScale(const QCustomPlot& plot, const QPointF& place) {
  return qobject_cast<QCPColorScale*>(plot.layoutElementAt(place)) != nullptr;
}

/// Limits an axis's ticks to the number that has room.
/// @returns whether the number changes
bool fitTicks(const QCPAxis& axis) {
  constexpr double kLines = 1.6;  // lines of text per label of a vertical axis
  const auto ticker = axis.ticker();
  const bool counts = !ticker.dynamicCast<IntegerTicker>().isNull();
  const bool powers = !ticker.dynamicCast<LogTicker>().isNull();
  const int most = powers ? LogTicker::kMostLabels : counts ? 6 : 5;
  const QFontMetricsF metrics(axis.tickLabelFont());
  const bool across = axis.orientation() == Qt::Horizontal;
  if (across && !counts && !powers) return false;
  const QString longest = powers ? QStringLiteral("0.005")
                                 : QString::number(std::llround(axis.range().upper));
  const double slot = across ? metrics.horizontalAdvance(longest + QStringLiteral("00"))
                             : kLines * metrics.height();
  const QRect room = axis.axisRect()->rect();
  const int count =
      std::clamp(int((across ? room.width() : room.height()) / slot), 2, most);
  const bool changes = count != ticker->tickCount();
  ticker->setTickCount(count);
  return changes;
}

/// Shortens or omits the axes' labels where they do not fit.
/// @returns whether a label changes
bool fitLabels(QCustomPlot& plot, const FigurePanel& panel) {
  constexpr int kLines = 7;  // least height of a chart with an x label, in lines
  const QFontMetrics metrics(plot.xAxis->labelFont());
  const QString across = QString::fromStdString(panel.x.title());
  const QString up = QString::fromStdString(panel.y.title());
  const bool isLow = plot.height() < kLines * metrics.height();
  const bool isShort =
      plot.axisRect()->height() < metrics.horizontalAdvance(up) || panel.hasRows();
  const auto label = [](QCPAxis& axis, const QString& text) {
    const bool changes = axis.label() != text;
    axis.setLabel(text);
    return changes;
  };
  const bool isLong = plot.axisRect()->width() < metrics.horizontalAdvance(across);
  const QString shown = isLong ? across.section(QStringLiteral(" ("), 0, 0) : across;
  const bool changes = label(*plot.xAxis, isLow ? QString() : shown);
  return label(*plot.yAxis, isShort ? QString() : up) || changes;
}

double middleOf(const QCPAxis& axis) {
  const QCPRange range = axis.range();
  return isLogarithmic(axis) ? std::sqrt(range.lower) * std::sqrt(range.upper)
                             : range.center();
}

}  // namespace

void ChartView::connectPlot() {
  connect(&m_theme, &Theme::changed, this, &ChartView::restyle);
  connect(m_legend, &Legend::toggled, this, &ChartView::applyVisibility);
  connect(m_plot, &QCustomPlot::afterLayout, this, [this] {
    m_rowBar->fit(font());
    m_rows.fitNames(m_plot->axisRect()->width());
    bool changes = fitTicks(*m_plot->xAxis);
    for (const QCPAxis* axis : {m_plot->yAxis, m_plot->yAxis2})
      changes |= fitTicks(*axis);
    changes |= fitLabels(*m_plot, m_panel);
    if (changes) m_plot->replot(QCustomPlot::rpQueuedReplot);
  });
  connect(m_plot, &QCustomPlot::mouseMove, this, &ChartView::mouseMoved);
  connect(m_plot, &QCustomPlot::mouseRelease, this, &ChartView::mouseReleased);
  connect(m_plot, &QCustomPlot::beforeReplot, this, [this] {
    placeZeros();
    for (const ChartSeries& series : m_series) {
      applyStyle(series);
      if (series.style.line != SeriesStyle::Line::None) thinShapes(*series.graph);
    }
  });
  connect(m_plot, &QCustomPlot::mouseWheel, this, [this](QWheelEvent* event) {
    if (m_rowBar->scrolls())
      QCoreApplication::sendEvent(m_rowBar, event);
    else if (event->angleDelta().y() != 0 &&  // sideways does not zoom
             !isOverColourScale(*m_plot, event->position()))
      m_fitted = false;
  });
  connect(m_plot, &QCustomPlot::mouseDoubleClick, this, [this] {
    m_pressed.reset();
    resetZoom();
  });
  connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    if (!isOverColourScale(*m_plot, event->position())) m_pressed = event->pos();
  });
}

void ChartView::zoom(double factor) {
  m_fitted = false;
  QCPAxis* axis = m_plot->xAxis;
  axis->scaleRange(factor, m_marker->visible() ? m_markerKey : middleOf(*axis));
  refresh();
}

void ChartView::pan(double widths) {
  m_fitted = false;
  const QCPRange range = m_plot->xAxis->range();
  // moveRange() multiplies both ends of a logarithmic axis by its argument.
  m_plot->xAxis->moveRange(isLogarithmic(*m_plot->xAxis)
                               ? std::pow(range.upper / range.lower, widths)
                               : widths * range.size());
  refresh();
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  if (m_rowBar->takeKey(event)) return;
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
    case Qt::Key_Home:
      Q_EMIT keyMoved(-kFar, 0);
      break;
    case Qt::Key_End:
      Q_EMIT keyMoved(kFar, 0);
      break;
    case Qt::Key_PageUp:
      Q_EMIT keyMoved(-kPage, 0);
      break;
    case Qt::Key_PageDown:
      Q_EMIT keyMoved(kPage, 0);
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
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (!canBeAlone()) return QWidget::keyPressEvent(event);
      Q_EMIT aloneRequested();
      break;
    case Qt::Key_T:
      if (m_dataVisible) m_tableSwitch->toggle();
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

void ChartView::mouseMoved(QMouseEvent* event) {
  const bool dragged =
      m_pressed && (event->pos() - *m_pressed).manhattanLength() > kClickTolerance;
  if (event->buttons() & Qt::LeftButton && dragged) m_fitted = false;
  if (event->buttons()) return;
  const bool inside = m_plot->axisRect()->rect().contains(event->pos());
  const double key = m_plot->xAxis->pixelToCoord(event->pos().x());
  const double value = m_plot->yAxis->pixelToCoord(event->pos().y());
  const QString text = inside ? describe(key, value) : QString();
  QToolTip::showText(event->globalPosition().toPoint(), plainToolTip(text), m_plot);
}

void ChartView::mouseReleased(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  const auto pressed = std::exchange(m_pressed, std::nullopt);
  if (event->button() != Qt::LeftButton || !pressed) return;
  if ((event->pos() - *pressed).manhattanLength() > kClickTolerance) return;
  if (!m_plot->axisRect()->rect().contains(event->pos())) return;
  Q_EMIT clicked(m_plot->xAxis->pixelToCoord(event->pos().x()),
                 m_plot->yAxis->pixelToCoord(event->pos().y()));
}

Figure ChartView::figure() const {
  const auto range = [](const QCPAxis& axis) {
    return FigureRange{axis.range().lower, axis.range().upper};
  };
  FigurePanel panel = shownPart();
  panel.x.limits = range(*m_plot->xAxis);
  if (!panel.hasRows()) panel.y.limits = range(*m_plot->yAxis);
  if (panel.right) panel.right->limits = range(*m_plot->yAxis2);
  std::erase_if(panel.marks, [](const FigureMarks& marks) { return marks.x.empty(); });
  panel.title.clear();
  return {.kind = "chart", .title = title().toStdString(), .panels = {std::move(panel)}};
}

QString ChartView::describe(double key, double value) const {
  const std::optional<PanelReading> reading = readingAt(m_panel, key, value);
  if (!reading) return {};
  const QString name = QString::fromStdString(reading->name);
  QString place = QString::fromStdString(m_panel.x.label) + u' ' + numberText(reading->x);
  if (!name.isEmpty())
    place = name;
  else if (reading->y)
    place = QString::fromStdString(m_panel.y.label) + u' ' + numberText(*reading->y) +
            QStringLiteral(", ") + place;
  const FigureAxis& axis = reading->y ? m_panel.y : m_panel.x;
  if (name.isEmpty() && axis.isMarked(reading->y.value_or(reading->x)))
    place += QStringLiteral(", ") + QString::fromStdString(axis.markedAs);
  if (!reading->token.empty())
    place += QStringLiteral(": “") + QString::fromStdString(reading->token) + u'”';
  QStringList lines{place};
  for (const PanelReading::Value& each : reading->values)
    lines << QString::fromStdString(each.name) + u' ' + numberText(each.value) +
                 (each.mark.empty()
                      ? QString()
                      : QStringLiteral("  ") + QString::fromStdString(each.mark));
  return lines.join(u'\n');
}

}  // namespace equipatch
