#pragma once

#include <vector>

#include "core/record/step_record.h"
#include "ui/chart/chart_view.h"

namespace equipatch {

/// What becomes of a step when α times its patch is applied: distance from the contextual
/// pass (left, logarithmic) and probability of its token (right), from the bare pass at
/// α = 0 to the exact one at α = 1 and beyond.
class StrengthChart final : public ChartView {
  Q_OBJECT

 public:
  static constexpr double kMostAlpha = 1.5;

  explicit StrengthChart(const Theme& theme, QWidget* parent = nullptr);

  /// @param readings by rising α; empty: nothing is known.
  void show(const std::vector<StrengthReading>& readings);
  /// Marks the strength that is chosen.
  void setAlpha(double alpha);

  const QCPGraph* linf() const { return m_linf; }
  const QCPGraph* tvd() const { return m_tvd; }
  const QCPGraph* probability() const { return m_probability; }
  const QCPGraph* mismatches() const { return m_mismatches; }

 Q_SIGNALS:
  void alphaPicked(double alpha);

 private:
  void addAllSeries();
  void fit();
  QString describe(double alpha) const;

  QCPGraph* m_linf = nullptr;
  QCPGraph* m_tvd = nullptr;
  QCPGraph* m_probability = nullptr;
  QCPGraph* m_mismatches = nullptr;
  QCPItemStraightLine* m_chosen;
  std::vector<StrengthReading> m_readings;
};

}  // namespace equipatch
