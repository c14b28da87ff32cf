// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/accuracy_chart.h"

#include <cmath>

#include "core/figure/run_figures.h"

namespace equipatch {

AccuracyChart::AccuracyChart(const RunList& runs, const Theme& theme, QWidget* parent)
    : ChartView(tr("L∞ over the steps, and equal tokens"), theme, parent), m_runs(runs) {
  setObjectName(QStringLiteral("accuracyChart"));
  setEmptyText(tr("Ticked runs are compared here."));
  connect(&runs, &RunList::changed, this, &AccuracyChart::show);
  connect(&runs, &RunList::grew, this, &AccuracyChart::show);
  connect(this, &ChartView::clicked, this, [this](double, double place) {
    const std::vector<int> rows = m_runs.shownRows();
    const auto row = std::lround(place);
    if (row >= 0 && row < std::ssize(rows)) Q_EMIT rowPicked(rows[std::size_t(row)]);
  });
  show();
}

void AccuracyChart::show() {
  std::vector<FigureBox> boxes;
  for (const int row : m_runs.shownRows()) {
    const ListedRun& run = m_runs.at(row);
    FigureBox box = run.linf;
    box.name = run.name.toStdString();
    box.style = run.colour;
    boxes.push_back(std::move(box));
  }
  setDataVisible(!boxes.empty());
  setPanel(distancePanel(std::move(boxes)));
  refresh();
}

}  // namespace equipatch
