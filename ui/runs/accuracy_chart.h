// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart/chart_view.h"
#include "ui/runs/run_list.h"

namespace equipatch {

/// Accuracy of the runs that are shown: a box for each run over the L∞ of its steps, with
/// the share of steps whose tokens are equal. The figure `accuracy` has the same panel of
/// runs pooled by their settings.
class AccuracyChart final : public ChartView {
  Q_OBJECT

 public:
  /// Both outlive the chart.
  AccuracyChart(const RunList& runs, const Theme& theme, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// A row of the list was clicked.
  void rowPicked(int row);

 private:
  void show();

  const RunList& m_runs;
};

}  // namespace equipatch
