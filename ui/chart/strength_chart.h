// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/step_panels.h"
#include "core/record/step_record.h"
#include "ui/chart/chart_view.h"

namespace equipatch {

/// One step at several strengths of its patch, from the bare pass at α = 0 to the exact
/// one at α = 1 and beyond.
class StrengthChart final : public ChartView {
  Q_OBJECT

 public:
  static constexpr double kMostAlpha = kMostStrength;

  explicit StrengthChart(const Theme& theme, QWidget* parent = nullptr);

  /// @param readings by rising α; empty: no data
  void show(const std::vector<StrengthReading>& readings);
  /// Marks the chosen strength.
  void setAlpha(double alpha);

 Q_SIGNALS:
  void alphaPicked(double alpha);

 private:
  QCPItemStraightLine* m_chosen;
};

}  // namespace equipatch
