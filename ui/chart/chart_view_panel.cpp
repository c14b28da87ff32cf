// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_view.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/figure/layer_panels.h"
#include "core/figure/panel_range.h"
#include "core/figure/panel_reading.h"
#include "ui/chart/axes.h"
#include "ui/chart/row_scroll_bar.h"

namespace equipatch {
namespace {

/// The coordinate at which the panel's exact zeros are drawn.
double zeroOf(const FigurePanel& panel, const QCustomPlot& plot) {
  return zeroOn(panel.hasRows() ? *plot.xAxis : *plot.yAxis);
}

/// The marks of the shown runs. `curves` of the result are indices into a panel that has
/// only the shown curves.
FigureMarks shownMarks(const FigureMarks& marks, const Legend& legend) {
  if (marks.curves.empty()) return marks;
  FigureMarks shown{.symbol = marks.symbol, .name = marks.name, .x = {}, .y = {}};
  for (std::size_t i = 0; i < marks.curves.size(); ++i) {
    const auto curve = int(marks.curves[i]);
    if (!legend.isOn(curve)) continue;
    std::size_t place = 0;
    for (int before = 0; before < curve; ++before) place += legend.isOn(before);
    shown.x.push_back(marks.x[i]);
    shown.y.push_back(marks.y[i]);
    shown.curves.push_back(place);
  }
  return shown;
}

/// The marks' y values; for marks of hidden runs NaN, which is not drawn.
std::vector<double> shownValues(const FigureMarks& marks, const Legend& legend) {
  std::vector<double> values = marks.y;
  for (std::size_t i = 0; i < marks.curves.size(); ++i)
    if (!legend.isOn(int(marks.curves[i])))
      values[i] = std::numeric_limits<double>::quiet_NaN();
  return values;
}

}  // namespace

/// A zoomed x axis keeps its range as long as its label stays, a zoomed y axis as long as
/// both labels stay.
void ChartView::setPanel(FigurePanel panel) {
  const bool sameX = panel.x.label == m_panel.x.label;
  const bool sameY = panel.y.label == m_panel.y.label;
  const bool sameAxes = panel.x == m_panel.x && panel.y == m_panel.y &&
                        panel.right == m_panel.right &&
                        panel.hasRows() == m_panel.hasRows();
  if (!sameAxes) setUpAxes(panel, *m_plot->axisRect());
  // In a panel of rows, y has no values to zoom.
  const QList<QCPAxis*> values =
      panel.hasRows() ? QList<QCPAxis*>() : QList<QCPAxis*>{m_plot->yAxis};
  m_plot->axisRect()->setRangeZoomAxes({m_plot->xAxis}, values);
  m_plot->axisRect()->setRangeDragAxes({m_plot->xAxis}, values);
  m_panel = std::move(panel);
  m_rowBar->setRows(m_panel.hasRows() ? int(m_panel.rows()) : 0);
  QList<SeriesStyle> styles;
  for (const FigureCurve& curve : m_panel.curves) {
    styles << styleOf(curve);
    styles.last().isRun = isRun(curve, m_panel);
  }
  for (const FigureMarks& marks : m_panel.marks) styles << styleOf(marks, m_panel);
  if (!std::ranges::equal(styles, m_series, {}, {}, &ChartSeries::style))
    replaceAllSeries(styles);
  for (std::size_t i = 0; i < m_panel.curves.size(); ++i)
    if (m_panel.curves[i].onRight)
      m_series[qsizetype(i)].graph->setValueAxis(m_plot->yAxis2);
  if (!sameX && !isLocked()) m_fitted = true;
  if (sameX && !sameY && !m_fitted && !isLocked()) {
    const QCPRange keys = m_plot->xAxis->range();
    fitPanel();
    m_plot->xAxis->setRange(keys);
  }
  drawAllPoints();
}

void ChartView::appendPoints(const std::function<void(FigurePanel&)>& append) {
  append(m_panel);
  drawNewPoints();
}

void ChartView::drawAllPoints() {
  for (ChartSeries& series : m_series) {
    series.graph->data()->clear();
    series.removeParts();
  }
  drawNewPoints();
  m_zero = zeroOf(m_panel, *m_plot);
  drawRows();
}

void ChartView::drawNewPoints() {
  markZeros(m_panel, *m_plot->axisRect());
  qsizetype series = 0;
  for (const FigureCurve& curve : m_panel.curves) {
    if (!curve.lower.empty()) addBand(curve, m_series[series]);
    addPoints(curve.x, curve.y, *m_series[series++].graph);
  }
  for (const FigureMarks& marks : m_panel.marks) addMarks(marks, m_series[series++]);
  addZeroMarks();
}

/// Mismatch marks of several runs have one graph per run, in the run's colour.
void ChartView::addMarks(const FigureMarks& marks, ChartSeries& series) {
  if (marks.symbol != FigureMarks::Symbol::Mismatch || !m_panel.hasColouredMarks())
    return addPoints(marks.x, shownValues(marks, *m_legend), *series.graph);
  for (int curve = 0; curve < int(m_panel.curves.size()); ++curve) {
    const FigureMarks own = marks.ofCurve(std::size_t(curve));
    if (own.x.empty() || !m_legend->isOn(curve)) continue;
    QCPGraph*& graph = series.ofCurves[curve];
    if (!graph) graph = m_plot->addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setVisible(series.graph->visible());
    addPoints(own.x, own.y, *graph);
  }
  applyStyle(series);
}

void ChartView::addBand(const FigureCurve& curve, ChartSeries& series) {
  for (QCPGraph** edge : {&series.lower, &series.upper})
    if (!*edge) {
      *edge = m_plot->addGraph(m_plot->xAxis, series.graph->valueAxis());
      (*edge)->setPen(Qt::NoPen);
      (*edge)->setVisible(series.graph->visible());
    }
  series.upper->setChannelFillGraph(series.lower);
  addBandPoints(curve, *series.lower, *series.upper);
  applyStyle(series);
}

void ChartView::addZeroMarks() {
  const bool zeros = explainsZeros(m_panel);
  m_legend->setRemark(zeros ? std::optional(zeroRemark()) : std::nullopt,
                      m_theme.colours());
  for (std::size_t i = 0; zeros && i < m_panel.curves.size(); ++i) {
    const FigureCurve& curve = m_panel.curves[i];
    ChartSeries& series = m_series[qsizetype(i)];
    if (!hasZeros(m_panel, curve)) continue;
    if (!series.zeros) series.zeros = m_plot->addGraph();
    series.zeros->setLineStyle(QCPGraph::lsNone);
    series.zeros->setVisible(series.graph->visible());
    series.zeros->data()->clear();
    addZeros(curve, *series.zeros);
    applyStyle(series);
  }
}

/// Redraws if another axis range or new points have moved the exact zeros.
void ChartView::placeZeros() {
  if (hasZeros(m_panel) && zeroOf(m_panel, *m_plot) != m_zero) drawAllPoints();
}

void ChartView::drawRows() {
  constexpr double kLine = 1.4, kDot = 5.0;  // pixels
  if (!m_panel.hasRows() && m_rows.boxes().isEmpty() && m_rows.bars().isEmpty()) return;
  m_rows.draw(m_panel, {.colours = m_theme.colours(),
                        .font = font(),
                        .line = kLine * enlargement(),
                        .dot = kDot * enlargement()});
  m_rows.fitNames(m_plot->axisRect()->width());
}

void ChartView::addSeries(const SeriesStyle& style) {
  QCPGraph* graph = m_plot->addGraph();
  graph->setName(style.name);
  // Adaptive sampling would omit some marks of a graph without a line.
  graph->setAdaptiveSampling(style.line != SeriesStyle::Line::None);
  m_series.append({graph, style});
  applyStyle(m_series.last());
  // By default, the legend would be the last tab stop of the window.
  if (m_legend->add(style, m_theme.colours()) == 0)
    setTabOrder(m_tableSwitch, m_legend->tabStop());
}

/// Recognizes hidden series by their look without the name, because the names of runs may
/// change when other runs come or go.
void ChartView::replaceAllSeries(const QList<SeriesStyle>& styles) {
  const auto look = [](SeriesStyle style) {
    style.name.clear();
    return style;
  };
  QList<SeriesStyle> hidden;
  for (qsizetype i = 0; i < m_series.size(); ++i)
    if (!m_legend->isOn(int(i))) hidden << look(m_series[i].style);
  for (ChartSeries& series : m_series) {
    series.removeParts();
    m_plot->removeGraph(series.graph);
  }
  m_series.clear();
  m_legend->clear();
  for (const SeriesStyle& style : styles) addSeries(style);
  for (qsizetype i = 0; i < styles.size(); ++i)
    if (hidden.contains(look(styles[i]))) m_legend->setOn(int(i), false);
}

void ChartView::applyVisibility(int index) {
  m_series[index].setVisible(m_legend->isOn(index));
  if (std::ranges::any_of(m_panel.marks,
                          [](const FigureMarks& marks) { return !marks.curves.empty(); }))
    drawAllPoints();
  refresh();
}

const QCPGraph* ChartView::series(const QString& name) const {
  const auto found = std::ranges::find_if(
      m_series, [&](const ChartSeries& series) { return series.style.name == name; });
  return found == m_series.end() ? nullptr : found->graph;
}

const QCPGraph* ChartView::marksOf(int curve) const {
  for (const ChartSeries& series : m_series)
    if (const QCPGraph* graph = series.ofCurves.value(curve)) return graph;
  return nullptr;
}

double ChartView::enlargement() const {
  return std::max(1.0, font().pointSizeF() / m_usualType);
}

void ChartView::applyStyle(const ChartSeries& series) const {
  SeriesStyle style = enlarged(series.style, enlargement());
  const Colours& colours = m_theme.colours();
  if (series.zeros) series.zeros->setScatterStyle(scatterOf(zeroStyle(style), colours));
  if (series.upper) {
    QColor tint = style.in(colours);
    tint.setAlphaF(0.18F);
    series.upper->setBrush(tint);
  }
  for (auto [curve, graph] : series.ofCurves.asKeyValueRange())
    graph->setScatterStyle(
        scatterOf(inColourOf(m_panel.curves.at(std::size_t(curve)), style), colours));
  const int points = series.graph->dataCount();
  // A single point without a shape would be invisible.
  if (points == 1 && style.shape == QCPScatterStyle::ssNone)
    style.shape = QCPScatterStyle::ssDisc;
  series.graph->setPen(penOf(style, colours, points));
  series.graph->setScatterStyle(scatterOf(style, colours));
}

FigurePanel ChartView::shownPart() const {
  FigurePanel shown = m_panel;
  shown.curves.clear();
  shown.marks.clear();
  int entry = 0;
  for (const FigureCurve& curve : m_panel.curves)
    if (m_legend->isOn(entry++)) shown.curves.push_back(curve);
  for (const FigureMarks& marks : m_panel.marks)
    if (m_legend->isOn(entry++)) shown.marks.push_back(shownMarks(marks, *m_legend));
  return shown;
}

void ChartView::fitPanel() {
  if (m_panel.curves.empty() && !m_panel.map && !m_panel.hasRows()) return;
  const bool all = std::ranges::all_of(
      m_series, [](const ChartSeries& series) { return series.graph->visible(); });
  if (all) return setRanges(m_panel, *m_plot->axisRect());
  FigurePanel shown = shownPart();
  shown.x.limits = keyRange(m_panel);
  setRanges(shown, *m_plot->axisRect());
}

TableData ChartView::panelTable() const {
  PanelTable numbers = tableOf(m_panel);
  TableData table;
  for (const std::string& column : numbers.columns)
    table.columns << QString::fromStdString(column);
  for (const std::string& name : numbers.names)
    table.names << QString::fromStdString(name);
  table.named = int(numbers.named);
  table.rows = std::move(numbers.rows);
  return table;
}

}  // namespace equipatch
