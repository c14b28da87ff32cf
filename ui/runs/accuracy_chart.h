// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/chart/chart_view.h"
#include "ui/chart/small_widgets.h"
#include "ui/runs/run_list.h"

namespace equipatch {

/// A box plot with a box for each ticked run that has steps, and the share of steps whose
/// tokens are equal. A box summarises, over the run's steps, the patched pass's L∞ or the
/// KL divergence of the bare or the ablated pass. Boxes of KL are in effectOrder: ranked
/// by their largest value, and without runs that lack the pass. The figures `accuracy`
/// (which pools runs by their settings) and `effect` show the same quantities.
class AccuracyChart final : public ChartView {
  Q_OBJECT

 public:
  /// Both outlive the chart.
  AccuracyChart(const RunList& runs, const Theme& theme, QWidget* parent = nullptr);

  /// The quantities by which runs are compared, in the order of the combo box.
  enum Quantity { Patched, BareKl, AblatedKl };
  void rankByEffect();             ///< chooses AblatedKl
  Figure figure() const override;  ///< of the kind `accuracy` or `effect`

 Q_SIGNALS:
  /// The user clicked the box of the run in this row of the list.
  void runPicked(int row);

 private:
  void pick(double place);
  void refill();

  const RunList& m_runs;
  ChoiceBox* m_quantity;
  std::vector<int> m_rows;  ///< of the list, in the order of the boxes
};

}  // namespace equipatch
