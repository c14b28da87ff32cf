// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/accuracy_chart.h"

#include <algorithm>
#include <cmath>

#include "core/figure/statistics.h"
#include "ui/chart/axes.h"
#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

// Places of the name and the box of a run, and the box's width; a run is 1 high.
constexpr double kNameAbove = 0.3;
constexpr double kBoxBelow = 0.12;
constexpr double kBoxWidth = 0.34;

QString shareOf(const ListedRun& run) {
  return QString::fromStdString(shareText(run.matches, std::ssize(run.steps))) +
         QStringLiteral(" %");
}

}  // namespace

AccuracyChart::AccuracyChart(const RunList& runs, const Theme& theme, QWidget* parent)
    : ChartView(tr("L∞ over the steps, and equal tokens"), theme, parent), m_runs(runs) {
  setObjectName(QStringLiteral("accuracyChart"));
  setAxisLabels(tr("L∞ of the logits"), {});
  makeLogarithmic(plot().xAxis);
  plot().yAxis->setTicks(false);
  plot().yAxis->grid()->setVisible(false);
  plot().yAxis->setRangeReversed(true);
  plot().axisRect()->setRangeZoomAxes({plot().xAxis}, {});
  plot().axisRect()->setRangeDragAxes({plot().xAxis}, {});
  setEmptyText(tr("Ticked runs are compared here."));
  setDescription([this](double, double place) { return describe(place); });
  setTableSource([this] { return tableOfRuns(); });
  setFit([this] { fit(); });
  connect(&runs, &RunList::changed, this, &AccuracyChart::show);
  connect(&runs, &RunList::grew, this, &AccuracyChart::show);
  connect(this, &ChartView::restyled, this, &AccuracyChart::restyleBoxes);
  show();
}

void AccuracyChart::show() {
  for (QCPStatisticalBox* box : std::as_const(m_boxes)) plot().removePlottable(box);
  for (QCPItemText* text : m_names + m_shares) plot().removeItem(text);
  m_boxes.clear();
  m_names.clear();
  m_shares.clear();
  m_rows = m_runs.shownRows();
  for (int place = 0; place < int(m_rows.size()); ++place)
    draw(m_runs.at(m_rows[std::size_t(place)]), place);
  restyleBoxes();
  setDataVisible(!m_rows.empty());
  refresh();
}

void AccuracyChart::draw(const ListedRun& run, int place) {
  const FigureBox& spread = run.linf;
  // A horizontal box: its values are on the x axis.
  auto* box = new QCPStatisticalBox(plot().yAxis, plot().xAxis);
  QVector<double> outliers;
  for (const double outlier : spread.outliers) outliers << logValue(outlier);
  box->addData(place + kBoxBelow, logValue(spread.low), logValue(spread.lowerQuartile),
               logValue(spread.median), logValue(spread.upperQuartile),
               logValue(spread.high), outliers);
  box->setWidth(kBoxWidth);
  m_boxes << box;
  m_names << addText(run.style().name, place - kNameAbove, Qt::AlignLeft);
  m_shares << addText(shareOf(run), place - kNameAbove, Qt::AlignRight);
}

QCPItemText* AccuracyChart::addText(const QString& text, double place,
                                    Qt::Alignment side) {
  auto* item = new QCPItemText(&plot());
  item->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
  item->position->setTypeY(QCPItemPosition::ptPlotCoords);
  item->position->setCoords(side == Qt::AlignLeft ? 0.01 : 0.99, place);
  item->setPositionAlignment(side | Qt::AlignVCenter);
  item->setText(text);
  return item;
}

void AccuracyChart::restyleBoxes() {
  const Colours& c = theme().colours();
  for (qsizetype i = 0; i < m_boxes.size(); ++i) {
    const SeriesStyle style = m_runs.at(m_rows[std::size_t(i)]).style();
    const QColor colour = style.colour(c);
    QColor inside = colour;
    inside.setAlphaF(0.3F);
    m_boxes[i]->setPen(QPen(colour, 1.4));
    m_boxes[i]->setBrush(inside);
    m_boxes[i]->setMedianPen(QPen(c.text, 2.0));
    m_boxes[i]->setWhiskerPen(QPen(colour, 1.4));
    m_boxes[i]->setWhiskerBarPen(QPen(colour, 1.4));
    m_boxes[i]->setOutlierStyle(
        QCPScatterStyle(QCPScatterStyle::ssDisc, colour, colour, 5.0));
    for (QCPItemText* text : {m_names[i], m_shares[i]}) {
      text->setColor(c.text);
      text->setFont(font());
    }
  }
}

void AccuracyChart::fit() {
  double low = INFINITY, high = 0.0;
  for (const int row : m_rows) {
    const FigureBox& spread = m_runs.at(row).linf;
    if (spread.smallest() > 0.0) low = std::min(low, spread.smallest());
    if (std::isfinite(spread.largest())) high = std::max(high, spread.largest());
  }
  if (!(low < INFINITY) || high <= 0.0) low = high = 1e-6;
  plot().xAxis->setRange(low / 2.0, high * 2.0);
  plot().yAxis->setRange(-0.5, double(m_rows.size()) - 0.5);
}

TableData AccuracyChart::tableOfRuns() const {
  TableData table{{tr("run"), tr("equal, %"), tr("L∞ 5 %"), tr("25 %"), tr("median"),
                   tr("75 %"), tr("95 %"), tr("largest")},
                  {}};
  for (const int row : m_rows) {
    const ListedRun& run = m_runs.at(row);
    const FigureBox& s = run.linf;
    table.rows.push_back(
        {double(row + 1), 100.0 * double(run.matches) / double(run.steps.size()), s.low,
         s.lowerQuartile, s.median, s.upperQuartile, s.high, s.largest()});
  }
  return table;
}

QString AccuracyChart::describe(double place) const {
  const auto row = std::lround(place);
  if (row < 0 || row >= std::ssize(m_rows)) return {};
  const ListedRun& run = m_runs.at(m_rows[std::size_t(row)]);
  const FigureBox& spread = run.linf;
  return tr("%1\n%2 of %3 steps with equal tokens\nL∞ median %4, largest %5")
      .arg(run.name, QString::number(run.matches), QString::number(run.steps.size()),
           numberText(spread.median), numberText(spread.largest()));
}

}  // namespace equipatch
