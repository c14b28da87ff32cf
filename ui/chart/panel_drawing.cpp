// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/panel_drawing.h"

#include "core/figure/panel_range.h"
#include "ui/chart/axes.h"

namespace equipatch {
namespace {

QCPRange shown(const FigureRange& range) {
  return {range.low, range.high};
}

bool isLogarithmic(const QCPAxis& axis) {
  return axis.scaleType() == QCPAxis::stLogarithmic;
}

/// Rows have their names inside the axes instead of ticks beside them.
void setUpRows(bool rows, QCPAxis& axis) {
  axis.setRangeReversed(rows);
  axis.setTicks(!rows);
  axis.setTickLabels(!rows);
  axis.grid()->setVisible(!rows);
  if (rows) axis.setLabel({});
}

/// Percents have a tick at each quarter.
void setUpPercents(QCPAxis& axis) {
  const auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
  ticker->setTickStep(25.0);
  axis.setTicker(ticker);
}

}  // namespace

void setUpAxes(const FigurePanel& panel, QCPAxisRect& rect) {
  QCPAxis& x = *rect.axis(QCPAxis::atBottom);
  QCPAxis& y = *rect.axis(QCPAxis::atLeft);
  setUpAxis(panel.x, x);
  setUpAxis(panel.y, y);
  setUpRows(panel.hasRows(), y);
  if (!panel.bars.empty()) setUpPercents(x);
  if (!panel.right) return;
  QCPAxis& right = *rect.axis(QCPAxis::atRight);
  setUpAxis(*panel.right, right);
  right.setVisible(true);
  right.setTicks(true);
  right.setTickLabels(true);
}

void setRanges(const FigurePanel& panel, QCPAxisRect& rect) {
  rect.axis(QCPAxis::atBottom)->setRange(shown(keyRange(panel)));
  rect.axis(QCPAxis::atLeft)->setRange(shown(valueRange(panel)));
  if (panel.right) rect.axis(QCPAxis::atRight)->setRange(shown(rightRange(panel)));
}

void addPoints(const std::vector<double>& x, const std::vector<double>& y,
               QCPGraph& graph) {
  const QCPAxis& axis = *graph.valueAxis();
  const double zero = isLogarithmic(axis) ? zeroOn(axis) : 0.0;
  for (auto i = std::size_t(graph.dataCount()); i < x.size(); ++i)
    graph.addData(placeOn(*graph.keyAxis(), x[i]),
                  y[i] == 0.0 ? zero : placeOn(axis, y[i]));
}

void addZeros(const FigureCurve& curve, QCPGraph& graph) {
  const double zero = zeroOn(*graph.valueAxis());
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (curve.y[i] == 0.0) graph.addData(placeOn(*graph.keyAxis(), curve.x[i]), zero);
}

double zeroOn(const QCPAxis& axis) {
  return zeroPlace({axis.range().lower, axis.range().upper});
}

}  // namespace equipatch
