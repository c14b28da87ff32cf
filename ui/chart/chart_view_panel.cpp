// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_view.h"

#include <algorithm>
#include <utility>

#include "core/figure/panel_reading.h"
#include "ui/chart/axes.h"
#include "ui/chart/panel_drawing.h"

namespace equipatch {

void ChartView::setPanel(FigurePanel panel) {
  if (panel.x != m_panel.x) setUpAxis(panel.x, *m_plot->xAxis);
  if (panel.y != m_panel.y) setUpAxis(panel.y, *m_plot->yAxis);
  if (panel.right && panel.right != m_panel.right) {
    setUpAxis(*panel.right, *m_plot->yAxis2);
    m_plot->yAxis2->setTicks(true);
    m_plot->yAxis2->setTickLabels(true);
  }
  m_panel = std::move(panel);
  QList<SeriesStyle> styles;
  for (const FigureCurve& curve : m_panel.curves) styles << styleOf(curve);
  for (const FigureMarks& marks : m_panel.marks) styles << styleOf(marks);
  if (!std::ranges::equal(styles, m_series, {}, {}, &Series::style)) {
    removeAllSeries();
    for (const SeriesStyle& style : styles) addSeries(style);
  }
  for (const Series& series : m_series) series.graph->data()->clear();
  for (std::size_t i = 0; i < m_panel.curves.size(); ++i)
    if (m_panel.curves[i].onRight)
      m_series[qsizetype(i)].graph->setValueAxis(m_plot->yAxis2);
  drawNewPoints();
}

void ChartView::appendPoints(const std::function<void(FigurePanel&)>& append) {
  append(m_panel);
  drawNewPoints();
}

void ChartView::drawNewPoints() {
  qsizetype series = 0;
  for (const FigureCurve& curve : m_panel.curves)
    addPoints(curve.x, curve.y, *m_series[series++].graph);
  for (const FigureMarks& marks : m_panel.marks)
    addPoints(marks.x, marks.y, *m_series[series++].graph);
}

void ChartView::addSeries(const SeriesStyle& style) {
  QCPGraph* graph = m_plot->addGraph();
  graph->setName(style.name);
  graph->setAdaptiveSampling(style.line != SeriesStyle::Line::None);  // draws every mark
  m_series.append({graph, style});
  applyStyle(m_series.last());
  m_legend->add(style, m_theme.colours());
}

void ChartView::removeAllSeries() {
  for (const Series& series : m_series) m_plot->removeGraph(series.graph);
  m_series.clear();
  m_legend->clear();
}

void ChartView::applyVisibility(int index) {
  const Series& series = m_series.at(index);
  series.graph->setVisible(m_legend->isOn(index));
  refresh();
}

void ChartView::setAxisLabels(const QString& key, const QString& value) {
  m_plot->xAxis->setLabel(key);
  m_plot->yAxis->setLabel(value);
}

const QCPGraph* ChartView::series(const QString& name) const {
  const auto found = std::ranges::find_if(
      m_series, [&](const Series& series) { return series.style.name == name; });
  return found == m_series.end() ? nullptr : found->graph;
}

void ChartView::applyStyle(const Series& series) const {
  const double size = std::max(1.0, font().pointSizeF() / m_usualType);
  SeriesStyle style = enlarged(series.style, size);
  const Colours& colours = m_theme.colours();
  const int points = series.graph->dataCount();
  // A single point without a shape would be invisible.
  if (points == 1 && style.shape == QCPScatterStyle::ssNone)
    style.shape = QCPScatterStyle::ssDisc;
  series.graph->setPen(penOf(style, colours, points));
  series.graph->setScatterStyle(scatterOf(style, colours));
}

/// The panel without the curves and marks that the legend hides.
FigurePanel ChartView::shownPart() const {
  FigurePanel shown = m_panel;
  shown.curves.clear();
  shown.marks.clear();
  int entry = 0;
  for (const FigureCurve& curve : m_panel.curves)
    if (m_legend->isOn(entry++)) shown.curves.push_back(curve);
  for (const FigureMarks& marks : m_panel.marks)
    if (m_legend->isOn(entry++)) shown.marks.push_back(marks);
  return shown;
}

void ChartView::fit() {
  if (m_fit) return m_fit();
  fitPanel();
}

void ChartView::fitPanel() {
  if (m_panel.curves.empty() && !m_panel.map) return;
  const bool all = std::ranges::all_of(
      m_series, [](const Series& series) { return series.graph->visible(); });
  m_plot->xAxis->setRange(keyRange(m_panel));
  m_plot->yAxis->setRange(all ? valueRange(m_panel) : valueRange(shownPart()));
}

TableData ChartView::panelTable() const {
  PanelTable numbers = tableOf(m_panel);
  TableData table;
  for (const std::string& column : numbers.columns)
    table.columns << QString::fromStdString(column);
  table.rows = std::move(numbers.rows);
  return table;
}

}  // namespace equipatch
