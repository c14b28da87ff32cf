// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/panel_plot.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/chart/axes.h"
#include "ui/chart/map_colours.h"
#include "ui/chart/panel_drawing.h"
#include "ui/chart/series_style.h"

namespace equipatch {
namespace {

constexpr int kMostDots = 60;       // points of a curve with a shape each
constexpr double kLine = 0.9;       // points
constexpr double kTickType = 0.88;  // of the figure's size
constexpr int kMapColumns = 2400;   // cells across, more than a printer resolves
constexpr double kWidthOfBar = 0.6;

double widestName(const FigurePanel& panel, const QFontMetricsF& metrics) {
  double widest = 0.0;
  for (const std::string& name : panel.x.names)
    widest = std::max(widest, metrics.horizontalAdvance(QString::fromStdString(name)));
  return widest;
}

QCPRange along(const FigurePlaces& places, const QCPRange& indices) {
  return {places.at(indices.lower), places.at(indices.upper)};
}

bool mustStand(const FigurePanel& panel, const QFontMetricsF& metrics, double slot) {
  return widestName(panel, metrics) > 0.92 * slot;
}

}  // namespace

PanelPlot::PanelPlot(const Paper& paper, QCPAxisRect& rect)
    : m_paper(paper), m_rect(rect) {}

void PanelPlot::add(const FigurePanel& panel) {
  styleAxes(panel);
  if (panel.map) addMap(*panel.map);
  for (const FigureBox& box : panel.boxes) addBox(box);
  for (const FigureBar& bar : panel.bars) addBar(bar);
  for (const FigureCurve& curve : panel.curves)
    addCurve(curve, curve.x.size() <= std::size_t(kMostDots));
  for (const FigureMarks& marks : panel.marks) addMarks(marks);
  setRanges(panel);
}

void PanelPlot::styleAxes(const FigurePanel& panel) {
  for (QCPAxis* axis : {x(), y()}) m_paper.styleAxis(*axis);
  setUpAxis(panel.x, *x());
  setUpAxis(panel.y, *y());
  x()->grid()->setVisible(!panel.map && panel.x.names.empty());
  y()->grid()->setVisible(!panel.map);
}

void PanelPlot::addCurve(const FigureCurve& curve, bool dotted) {
  const SeriesStyle style = styleOf(curve);
  const QColor colour = style.colour(m_paper.colours());
  if (!curve.lower.empty()) addBand(curve, colour);
  QCPGraph* graph = plot().addGraph(x(), y());
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
  QCPGraph* lower = plot().addGraph(x(), y());
  QCPGraph* upper = plot().addGraph(x(), y());
  addPoints(curve.x, curve.lower, *lower);
  addPoints(curve.x, curve.upper, *upper);
  lower->setPen(Qt::NoPen);
  upper->setPen(Qt::NoPen);
  QColor tint = colour;
  tint.setAlphaF(0.18F);
  upper->setBrush(tint);
  upper->setChannelFillGraph(lower);
}

void PanelPlot::addMarks(const FigureMarks& marks) {
  QCPGraph* graph = plot().addGraph(x(), y());
  graph->setName(QString::fromStdString(marks.name));
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setAdaptiveSampling(false);
  graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross,
                                         m_paper.pen(m_paper.colours().mismatch, 1.2),
                                         Qt::NoBrush, Paper::units(5)));
  addPoints(marks.x, marks.y, *graph);
  m_named << graph;
}

void PanelPlot::addBox(const FigureBox& box) {
  const QColor colour = numberedStyle({}, box.style).colour(m_paper.colours());
  auto* statistics = new QCPStatisticalBox(x(), y());
  QColor tint = colour;
  tint.setAlphaF(0.25F);
  const QPen line = m_paper.pen(colour, 0.8);
  statistics->setPen(line);
  statistics->setBrush(tint);
  statistics->setWhiskerPen(line);
  statistics->setWhiskerBarPen(line);
  statistics->setMedianPen(m_paper.pen(colour, 1.6));
  statistics->setWidth(kWidthOfBar);
  statistics->setWhiskerWidth(kWidthOfBar / 2);
  statistics->setOutlierStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, Qt::NoPen,
                                              QBrush(colour), Paper::units(1.4)));
  QVector<double> outliers;
  for (const double outlier : box.outliers) outliers << shown(outlier);
  statistics->addData(box.x, shown(box.low), shown(box.lowerQuartile), shown(box.median),
                      shown(box.upperQuartile), shown(box.high), outliers);
}

void PanelPlot::addBar(const FigureBar& bar) {
  auto* bars = new QCPBars(x(), y());
  const QColor colour = numberedStyle({}, bar.style).colour(m_paper.colours());
  bars->setPen(Qt::NoPen);
  bars->setBrush(colour);
  bars->setWidth(kWidthOfBar);
  bars->addData(bar.x, bar.value);
  auto* text = new QCPItemText(&plot());
  for (QCPItemPosition* position : text->positions()) {
    position->setAxisRect(&m_rect);
    position->setAxes(x(), y());
  }
  text->setClipAxisRect(&m_rect);
  text->position->setCoords(bar.x, bar.value);
  text->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
  text->setText(QString::fromStdString(bar.text));
  text->setFont(m_paper.font(kTickType));
  text->setColor(m_paper.colours().text);
  text->setPadding(QMargins(0, 0, 0, Paper::units(1)));
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
  m_map->setColorScale(&scale);
  m_map->setGradient(colours.gradient(m_paper.colours()));
  m_map->setDataRange(colours.range());
}

void PanelPlot::setRanges(const FigurePanel& panel) {
  x()->setRange(keyRange(panel));
  y()->setRange(valueRange(panel));
  if (panel.bars.empty()) return;
  const auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
  ticker->setTickStep(25.0);
  y()->setTicker(ticker);
}

void PanelPlot::fitTicks(const FigurePanel& panel, int width) {
  const QFontMetricsF metrics(m_paper.font(kTickType));
  if (panel.x.names.empty()) {
    const double slot = 1.6 * metrics.horizontalAdvance(QStringLiteral("0000"));
    const int room = std::max(2, int(width / slot));
    x()->ticker()->setTickCount(std::min(room, x()->ticker()->tickCount()));
    return;
  }
  const int count = int(panel.x.names.size());
  const double slot = double(width) / count;
  const bool upright = mustStand(panel, metrics, slot);
  const int every = upright ? std::max(1, int(std::ceil(metrics.height() / slot))) : 1;
  const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (int i = 0; i < count; i += every)
    ticker->addTick(i, QString::fromStdString(panel.x.names[std::size_t(i)]));
  x()->setTicker(ticker);
  x()->setTickLabelRotation(upright ? -90.0 : 0.0);
}

int PanelPlot::nameHeight(const FigurePanel& panel, const Paper& paper, int width) {
  if (panel.x.names.empty()) return 0;
  const QFontMetricsF metrics(paper.font(kTickType));
  const double slot = double(width) / double(panel.x.names.size());
  return mustStand(panel, metrics, slot)
             ? int(std::ceil(widestName(panel, metrics) - metrics.height()))
             : 0;
}

}  // namespace equipatch
