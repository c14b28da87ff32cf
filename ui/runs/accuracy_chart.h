// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/chart/chart_view.h"
#include "ui/chart/small_widgets.h"
#include "ui/runs/run_list.h"

namespace equipatch {

/// A box plot with a row for each ticked run that has steps: a box, and the share of
/// steps whose tokens are equal. A box summarises, over the run's steps, the patched
/// pass's L∞ or the KL divergence of the bare or the ablated pass. Boxes of KL are in
/// effectOrder, which omits runs without the pass.
class AccuracyChart final : public ChartView {
  Q_OBJECT

 public:
  /// @param runs, theme outlive the chart.
  AccuracyChart(const RunList& runs, const Theme& theme, QWidget* parent = nullptr);

  /// In the order of the combo box.
  enum Quantity { Patched, BareKl, AblatedKl };
  void rankByEffect();             ///< chooses AblatedKl
  Figure figure() const override;  ///< of the kind `accuracy` or `effect`

 Q_SIGNALS:
  /// The user clicked a run's box or its row of the table. @param row in the RunList
  void runPicked(int row);

 private:
  void pick(double place);
  void refill();

  const RunList& m_runs;
  ChoiceBox* m_quantity;
  std::vector<int> m_rows;  ///< in the RunList, in the order of the boxes
};

}  // namespace equipatch
