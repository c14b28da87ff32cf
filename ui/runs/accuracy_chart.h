// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart/chart_view.h"
#include "ui/runs/run_list.h"

namespace equipatch {

/// Accuracy of the runs that are shown: a box for each run over the L∞ of its steps
/// (quartiles, whiskers at 5 and 95 %, the rest as dots), with the share of steps
/// whose tokens are equal.
class AccuracyChart final : public ChartView {
  Q_OBJECT

 public:
  /// Both outlive the chart.
  AccuracyChart(const RunList& runs, const Theme& theme, QWidget* parent = nullptr);

  int boxCount() const { return int(m_boxes.size()); }
  const QCPStatisticalBox* box(int i) const { return m_boxes.at(i); }
  QString name(int i) const { return m_names.at(i)->text(); }
  QString share(int i) const { return m_shares.at(i)->text(); }

 private:
  void show();
  void draw(const ListedRun& run, int place);
  QCPItemText* addText(const QString& text, double place, Qt::Alignment side);
  void restyleBoxes();
  void fit();
  TableData tableOfRuns() const;
  QString describe(double place) const;

  const RunList& m_runs;
  std::vector<int> m_rows;  ///< of the list, from top to bottom
  QList<QCPStatisticalBox*> m_boxes;
  QList<QCPItemText*> m_names, m_shares;
};

}  // namespace equipatch
