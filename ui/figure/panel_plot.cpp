// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/panel_plot.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/figure/panel_range.h"
#include "ui/chart/axes.h"
#include "ui/chart/map_colours.h"

namespace equipatch {
namespace {

constexpr int kMostDots = 60;       // a curve with more points has no shapes
constexpr double kLine = 0.9;       // points
constexpr double kTickType = 0.88;  // of the figure's size
constexpr int kMapColumns = 2400;   // cells across, more than a printer resolves

double widestName(const FigurePanel& panel, const QFontMetricsF& metrics) {
  double widest = 0.0;
  for (const std::string& name : panel.x.names)
    widest = std::max(widest, metrics.horizontalAdvance(QString::fromStdString(name)));
  return widest;
}

QCPRange along(const FigurePlaces& places, const QCPRange& indices) {
  return {places.at(indices.lower), places.at(indices.upper)};
}

bool mustRotate(const FigurePanel& panel, const QFontMetricsF& metrics, double slot) {
  return widestName(panel, metrics) > 0.92 * slot;
}

}  // namespace

PanelPlot::PanelPlot(const Paper& paper, QCPAxisRect& rect)
    : m_paper(paper), m_rect(rect), m_rows(rect) {}

void PanelPlot::add(const FigurePanel& panel, PanelRows::Names names) {
  styleAxes(panel);
  setRanges(panel, m_rect);
  if (panel.map) addMap(*panel.map);
  if (panel.hasRows()) return addRows(panel, names);
  for (const FigureCurve& curve : panel.curves)
    addCurve(curve, curve.x.size() <= std::size_t(kMostDots));
  for (const FigureMarks& marks : panel.marks) addMarks(marks);
  for (const FigureCurve& curve : panel.curves)
    if (hasZeros(panel, curve)) addZeroMarks(curve);
  if (hasZeros(panel)) addZeroRemark();
}

void PanelPlot::styleAxes(const FigurePanel& panel) {
  for (QCPAxis* axis : {x(), y(), right()}) m_paper.styleAxis(*axis);
  setUpAxes(panel, m_rect);
  markZeros(panel.hasRows() ? *x() : *y(), hasZeros(panel));
  x()->grid()->setVisible(!panel.map && panel.x.names.empty());
  y()->grid()->setVisible(!panel.map && !panel.hasRows());
}

void PanelPlot::addCurve(const FigureCurve& curve, bool dotted) {
  const SeriesStyle style = styleOf(curve);
  const QColor colour = style.in(m_paper.colours());
  if (!curve.lower.empty()) addBand(curve, colour);
  QCPGraph* graph = plot().addGraph(x(), axisOf(curve));
  graph->setName(style.name);
  QPen pen = m_paper.pen(colour, kLine);
  if (style.line == SeriesStyle::Line::Dash) pen.setDashPattern({4, 2.5});
  if (style.line == SeriesStyle::Line::Dot) pen.setDashPattern({1, 2});
  graph->setPen(pen);
  if (dotted)
    graph->setScatterStyle(QCPScatterStyle(style.shape, m_paper.pen(colour, 0.6),
                                           QBrush(colour), Paper::units(2.6)));
  addPoints(curve.x, curve.y, *graph);
  m_named << graph;
}

void PanelPlot::addBand(const FigureCurve& curve, const QColor& colour) {
  const auto edge = [&](const std::vector<double>& values) {
    QCPGraph* graph = plot().addGraph(x(), axisOf(curve));
    graph->setPen(Qt::NoPen);
    // Bands reach the lower edge, below the exact zeros.
    for (std::size_t i = 0; i < values.size(); ++i)
      graph->addData(placeOn(*x(), curve.x[i]), placeOn(*axisOf(curve), values[i]));
    return graph;
  };
  QCPGraph* lower = edge(curve.lower);
  QCPGraph* upper = edge(curve.upper);
  QColor tint = colour;
  tint.setAlphaF(0.18F);
  upper->setBrush(tint);
  upper->setChannelFillGraph(lower);
}

/// The shapes have the same size relative to each other as on the screen.
QCPGraph* PanelPlot::addDots(const SeriesStyle& style) {
  constexpr double kPoints = 0.55;  // a pixel of the screen on paper
  QCPGraph* graph = plot().addGraph(x(), y());
  graph->setName(style.name);
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setAdaptiveSampling(false);
  const SeriesStyle small = enlarged(style, kPoints);
  QCPScatterStyle scatter = scatterOf(small, m_paper.colours());
  scatter.setPen(m_paper.pen(style.in(m_paper.colours()), small.width));
  scatter.setSize(Paper::units(small.size));
  graph->setScatterStyle(scatter);
  return graph;
}

void PanelPlot::addMarks(const FigureMarks& marks) {
  QCPGraph* graph = addDots(styleOf(marks));
  addPoints(marks.x, marks.y, *graph);
  m_named << graph;
}

void PanelPlot::addZeroMarks(const FigureCurve& curve) {
  addZeros(curve, *addDots(zeroStyle(styleOf(curve))));
}

/// Explains the marks of exact zeros in the legend.
void PanelPlot::addZeroRemark() {
  m_named << addDots(zeroRemark());
}

void PanelPlot::addRows(const FigurePanel& panel, PanelRows::Names names) {
  m_rows.draw(panel, {.colours = m_paper.colours(),
                      .font = m_paper.font(kTickType),
                      .line = 0.8 * Paper::kUnitsPerPoint,
                      .dot = 1.6 * Paper::kUnitsPerPoint,
                      .names = names});
}

int PanelPlot::rowHeight(const FigurePanel& panel, const Paper& paper) {
  constexpr double kRow = 1.9;   // font sizes per row
  constexpr double kAxis = 3.5;  // font sizes for the axis labels below
  if (!panel.hasRows()) return 0;
  return Paper::units((kRow * double(panel.rows()) + kAxis) * paper.fontSize());
}

void PanelPlot::addMap(const FigureMap& map) {
  m_map = new QCPColorMap(x(), y());
  m_map->setInterpolate(false);
  m_map->setTightBoundary(false);
  fillColourMap(*m_map, pool(map.grid, 0, map.grid.columns(), kMapColumns),
                MapColours(map));
  QCPColorMapData& cells = *m_map->data();
  cells.setRange(along(map.x, cells.keyRange()), along(map.y, cells.valueRange()));
}

void PanelPlot::addScale(const FigurePanel& panel, QCPColorScale& scale) {
  m_paper.styleScale(scale);
  scale.setLabel(QString::fromStdString(panel.map->label));
  const MapColours colours(*panel.map);
  scale.axis()->setTicker(colours.ticker());
  keepTicksApart(*scale.axis());
  m_map->setColorScale(&scale);
  m_map->setGradient(colours.gradient(m_paper.colours()));
  m_map->setDataRange(colours.range());
}

void PanelPlot::fitTicks(const FigurePanel& panel, int width) {
  const QFontMetricsF metrics(m_paper.font(kTickType));
  m_rows.fitNames(width);
  if (panel.x.names.empty()) {
    const bool powers = panel.x.scale == FigureScale::Logarithmic;
    const double slot =
        (powers ? 2.5 : 1.6) * metrics.horizontalAdvance(QStringLiteral("0000"));
    const int room = std::max(2, int(width / slot));
    x()->ticker()->setTickCount(std::min(room, x()->ticker()->tickCount()));
    return;
  }
  const int count = int(panel.x.names.size());
  const double slot = double(width) / count;
  const bool rotated = mustRotate(panel, metrics, slot);
  const int every = rotated ? std::max(1, int(std::ceil(metrics.height() / slot))) : 1;
  const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (int i = 0; i < count; i += every)
    ticker->addTick(i, QString::fromStdString(panel.x.names[std::size_t(i)]));
  x()->setTicker(ticker);
  x()->setTickLabelRotation(rotated ? -90.0 : 0.0);
}

int PanelPlot::nameHeight(const FigurePanel& panel, const Paper& paper, int width) {
  if (panel.x.names.empty()) return 0;
  const QFontMetricsF metrics(paper.font(kTickType));
  const double slot = double(width) / double(panel.x.names.size());
  return mustRotate(panel, metrics, slot)
             ? int(std::ceil(widestName(panel, metrics) - metrics.height()))
             : 0;
}

}  // namespace equipatch
