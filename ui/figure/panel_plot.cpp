// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/panel_plot.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/figure/curve_mark.h"
#include "core/figure/panel_range.h"
#include "ui/chart/axes.h"
#include "ui/chart/map_colours.h"
#include "ui/chart/text_lines.h"
#include "ui/figure/map_over_picture.h"

namespace equipatch {
namespace {

constexpr double kLine = 0.9;       // width of curves, points
constexpr double kTickType = 0.88;  // of the figure's font size
constexpr double kTwoLines = 2.4;   // two tick labels and the room between them, in lines
constexpr int kMapColumns = 2400;   // cells across; wider maps are pooled

double widestName(const FigurePanel& panel, const QFontMetricsF& metrics) {
  double widest = 0.0;
  for (const std::string& name : panel.x.names)
    widest = std::max(widest, metrics.horizontalAdvance(QString::fromStdString(name)));
  return widest;
}

double widestLine(const QString& words, const QFontMetricsF& metrics) {
  return equipatch::widestLine(words.split(u'\n'), metrics);
}

/// Makes the spaces within ‖…‖ unbreakable.
QString withWholeNorms(QString words) {
  bool inside = false;
  for (QChar& sign : words) {
    if (sign == u'‖') inside = !inside;
    if (inside && sign == u' ') sign = QChar::Nbsp;
  }
  return words;
}

/// Breaks words into lines of about equal length: as few as fit into `width`, at most
/// `most`.
QString brokenLines(const QString& words, const QFontMetricsF& metrics, double width,
                    int most) {
  QString broken = words;
  for (int lines = 2; lines <= most && widestLine(broken, metrics) > width; ++lines) {
    broken.clear();
    qsizetype length = 0;
    for (const QString& word : words.split(u' ')) {
      const bool breaks = length > 0 && (length + word.size()) * lines >
                                            words.size() + word.size() * lines / 2;
      broken += length == 0 ? word : (breaks ? u'\n' : u' ') + word;
      length = (breaks || length == 0 ? 0 : length + 1) + word.size();
    }
  }
  return broken;
}

/// A graph that does not clip points at the edges of the axes. Add no points outside the
/// axes.
class WholeDots final : public QCPGraph {
 public:
  using QCPGraph::QCPGraph;

 protected:
  QRect clipRect() const override { return parentPlot()->viewport(); }
};

void keepInside(QCPGraph& graph) {
  const QCPRange across = graph.keyAxis()->range(), up = graph.valueAxis()->range();
  QVector<QCPGraphData> inside;
  std::ranges::copy_if(*graph.data(), std::back_inserter(inside),
                       [&](const QCPGraphData& point) {
                         return across.contains(point.key) && up.contains(point.value);
                       });
  graph.data()->set(inside, true);
}

QCPRange along(const FigurePlaces& places, const QCPRange& indices) {
  return {places.at(indices.lower), places.at(indices.upper)};
}

/// The width for one name along x.
double nameSlot(const FigurePanel& panel, double width) {
  const auto& limits = panel.x.limits;
  return width / (limits ? std::max(1.0, limits->high - limits->low)
                         : double(panel.x.names.size()));
}

bool mustRotate(const FigurePanel& panel, const QFontMetricsF& metrics, double slot) {
  constexpr double kMostOfSlot = 0.92;  // the rest is the gap between names
  return widestName(panel, metrics) > kMostOfSlot * slot;
}

}  // namespace

PanelPlot::PanelPlot(const Paper& paper, QCPAxisRect& rect)
    : m_paper(paper), m_rect(rect), m_rows(rect) {}

void PanelPlot::add(const FigurePanel& panel, PanelRows::Names names) {
  styleAxes(panel);
  setRanges(panel, m_rect);
  if (panel.map) addMap(panel);
  if (panel.hasRows()) return addRows(panel, names);
  for (const FigureCurve& curve : panel.curves) addCurve(curve);
  for (const FigureMarks& marks : panel.marks) addMarks(marks, panel);
  for (const FigureCurve& curve : panel.curves)
    if (hasZeros(panel, curve)) addZeroMarks(curve);
  if (explainsZeros(panel)) addZeroRemark();
}

void PanelPlot::styleAxes(const FigurePanel& panel) {
  for (QCPAxis* axis : {x(), y(), right()}) m_paper.styleAxis(*axis);
  setUpAxes(panel, m_rect);
  markZeros(panel, m_rect);
  x()->grid()->setVisible(!panel.map && panel.x.names.empty());
  y()->grid()->setVisible(!panel.map && !panel.hasRows());
}

void PanelPlot::addCurve(const FigureCurve& curve) {
  const SeriesStyle style = styleOf(curve);
  const QColor colour = style.in(m_paper.colours());
  if (!curve.lower.empty()) addBand(curve, colour);
  QCPGraph* graph = plot().addGraph(x(), axisOf(curve));
  graph->setName(style.name);
  QPen pen = m_paper.pen(colour, kLine);
  if (style.line == SeriesStyle::Line::Dash)
    pen.setDashPattern({4, 2.5});
  else if (style.line == SeriesStyle::Line::Dot)
    pen.setDashPattern({1, 2});
  else if (style.isDashed())
    pen.setDashPattern(dashesOf(style.line));
  graph->setPen(pen);
  if (const CurveMark mark = printedMark(curve); mark != CurveMark{})
    graph->setScatterStyle(QCPScatterStyle(
        shapeOf(mark), m_paper.pen(colour, 0.6),
        QBrush(mark.open ? m_paper.colours().surface : colour), Paper::units(2.6)));
  addPoints(curve.x, curve.y, *graph);
  m_named << graph;
}

void PanelPlot::addBand(const FigureCurve& curve, const QColor& colour) {
  const auto addEdge = [&] {
    QCPGraph* graph = plot().addGraph(x(), axisOf(curve));
    graph->setPen(Qt::NoPen);
    return graph;
  };
  QCPGraph* lower = addEdge();
  QCPGraph* upper = addEdge();
  addBandPoints(curve, *lower, *upper);
  QColor tint = colour;
  tint.setAlphaF(0.18F);
  upper->setBrush(tint);
  upper->setChannelFillGraph(lower);
}

QCPGraph* PanelPlot::addDots(const SeriesStyle& style) {
  constexpr double kPoints = 0.55;  // on paper for one pixel of the screen
  auto* graph = new WholeDots(x(), y());
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

/// If each ✗ has the colour of its run, the ✗ in the legend has the colour of text.
void PanelPlot::addMarks(const FigureMarks& marks, const FigurePanel& panel) {
  const SeriesStyle style = styleOf(marks, panel);
  const bool isMismatch = marks.symbol == FigureMarks::Symbol::Mismatch;
  if (!isMismatch || !panel.hasColouredMarks()) {
    m_named << addMarks(marks, style);
    return;
  }
  m_named << addDots(style);
  for (std::size_t curve = 0; curve < panel.curves.size(); ++curve)
    if (const FigureMarks own = marks.ofCurve(curve); !own.x.empty())
      addMarks(own, inColourOf(panel.curves[curve], style));
}

/// The mark of a sampled difference is large and open, so that a ✗ at the same step stays
/// visible inside. This mark has the colour of text, because it belongs to no run.
QCPGraph* PanelPlot::addMarks(const FigureMarks& marks, const SeriesStyle& style) {
  QCPGraph* graph = addDots(style);
  if (marks.symbol == FigureMarks::Symbol::SampledDifference) {
    constexpr double kAround = 1.7;  // times the usual size
    QCPScatterStyle scatter = graph->scatterStyle();
    scatter.setPen(m_paper.pen(m_paper.colours().text, 0.7));
    scatter.setBrush(Qt::NoBrush);
    scatter.setSize(kAround * scatter.size());
    graph->setScatterStyle(scatter);
  }
  addPoints(marks.x, marks.y, *graph);
  keepInside(*graph);
  m_marks << graph;
  return graph;
}

void PanelPlot::addZeroMarks(const FigureCurve& curve) {
  QCPGraph* graph = addDots(zeroStyle(styleOf(curve)));
  addZeros(curve, *graph);
  keepInside(*graph);
}

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

int PanelPlot::rowHeight(const FigurePanel& panel, const Paper& paper, int width) {
  // In font sizes:
  constexpr double kRow = 1.9;
  constexpr double kBetween = 0.5;  // between names of several lines
  constexpr double kAxis = 3.5;     // for the axis labels below
  if (!panel.hasRows()) return 0;
  const QFont font = paper.font(kTickType);
  const double names = PanelRows::linesBeside(panel, font, width) *
                       QFontMetricsF(font).lineSpacing() / Paper::kUnitsPerPoint;
  const double row =
      std::max(kRow * paper.fontSize(), names + kBetween * paper.fontSize());
  return Paper::units(row * double(panel.rows()) + kAxis * paper.fontSize());
}

bool PanelPlot::fitsNames(const FigurePanel& panel, int width) const {
  const QFont font = m_paper.font(kTickType);
  return m_rect.height() >= double(panel.rows()) *
                                PanelRows::linesBeside(panel, font, width) *
                                QFontMetricsF(font).height();
}

void PanelPlot::addMap(const FigurePanel& panel) {
  const FigureMap& map = *panel.map;
  m_map = panel.under ? new MapOverPicture(x(), y(), panel, m_paper.font(kTickType))
                      : new QCPColorMap(x(), y());
  m_map->setInterpolate(false);
  m_map->setTightBoundary(false);
  fillColourMap(*m_map, pool(map.grid, 0, map.grid.columns(), kMapColumns),
                MapColours(map));
  QCPColorMapData& cells = *m_map->data();
  cells.setRange(along(map.x, cells.keyRange()), along(map.y, cells.valueRange()));
}

void PanelPlot::addScale(const FigurePanel& panel, QCPColorScale& scale) {
  m_paper.styleScale(scale);
  const MapColours colours(*panel.map);
  scale.axis()->setTicker(colours.ticker());
  keepTicksApart(*scale.axis());
  m_map->setColorScale(&scale);
  m_map->setGradient(colours.gradient(m_paper.colours()));
  m_map->setDataRange(colours.range());
}

void PanelPlot::fit(const FigurePanel& panel) {
  fitTicks(panel, m_rect.width());
  const double line = QFontMetricsF(m_paper.font(kTickType)).height();
  for (QCPAxis* axis : {y(), right()})
    if (!panel.hasRows() && axis->visible())
      fitNumbers(*axis, std::max(int(m_rect.height() / (1.5 * line)),
                                 m_rect.height() >= kTwoLines * line ? 2 : 1));
  if (panel.x.counts) fitMarks();
  for (QCPAbstractPlottable* plottable : std::as_const(m_named))
    if (auto* curve = qobject_cast<QCPGraph*>(plottable)) thinShapes(*curve);
  fitLabel(*x(), panel.x, m_rect.width());
  if (!panel.hasRows()) fitLabel(*y(), panel.y, m_rect.height());
  if (panel.right) fitLabel(*right(), *panel.right, m_rect.height());
}

/// Shrinks marks that are much wider than a step, so that the curve between them stays
/// visible.
void PanelPlot::fitMarks() {
  constexpr double kMostShare = 1.5;  // of a step's width
  constexpr double kLeastPoints = 2.5;
  const double slot = m_rect.width() / std::max(1.0, x()->range().size());
  for (QCPGraph* marks : std::as_const(m_marks)) {
    QCPScatterStyle scatter = marks->scatterStyle();
    const double size =
        std::clamp(kMostShare * slot, double(Paper::units(kLeastPoints)), scatter.size());
    QPen pen = scatter.pen();
    pen.setWidthF(pen.widthF() * size / scatter.size());
    scatter.setPen(pen);
    scatter.setSize(size);
    marks->setScatterStyle(scatter);
  }
}

void PanelPlot::fitNumbers(QCPAxis& axis, int most) {
  axis.ticker()->setTickCount(std::clamp(most, 1, axis.ticker()->tickCount()));
}

void PanelPlot::fitLabel(QCPAxis& axis, const FigureAxis& figure, int length) {
  constexpr double kSmallestType = 0.55;
  constexpr int kMostLines = 3;
  QString words = withWholeNorms(QString::fromStdString(figure.title()));
  QFont font = m_paper.font();
  if (widestLine(words, QFontMetricsF(font)) > length) {
    words = brokenLines(words, QFontMetricsF(font), length, kMostLines);
    const int least = m_paper.font(kSmallestType).pixelSize();
    double widest = widestLine(words, QFontMetricsF(font));
    while (widest > length && font.pixelSize() > least) {
      font.setPixelSize(std::clamp(int(font.pixelSize() * length / widest), least,
                                   font.pixelSize() - 1));
      widest = widestLine(words, QFontMetricsF(font));
    }
  }
  axis.setLabelFont(font);
  axis.setLabel(words);
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
  const double slot = nameSlot(panel, width);
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
  const double slot = nameSlot(panel, width);
  return mustRotate(panel, metrics, slot)
             ? int(std::ceil(widestName(panel, metrics) - metrics.height()))
             : 0;
}

}  // namespace equipatch
