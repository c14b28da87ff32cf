#pragma once

#include <array>

#include "ui/chart/chart_view.h"
#include "ui/run/run_model.h"
#include "ui/run/selection.h"

namespace equipatch {

/// Difference of the passes' logits by step, logarithmic: L∞ and TVD of the patched pass,
/// ✗ where the most likely tokens differ; bare control, margin and noise as references.
class LogitChart final : public ChartView {
  Q_OBJECT

 public:
  /// @param model, selection, theme outlive the chart.
  LogitChart(const RunModel& model, Selection& selection, const Theme& theme,
             QWidget* parent = nullptr);

  const QCPGraph* linf() const { return m_linf; }
  const QCPGraph* tvd() const { return m_tvd; }
  const QCPGraph* bare() const { return m_bare; }
  const QCPGraph* margin() const { return m_margin; }
  const QCPGraph* noise() const { return m_noise; }
  const QCPGraph* mismatches() const { return m_mismatches; }

 private:
  void addAllSeries();
  void connectAll();
  void begin();
  void append(int first);
  void fit();
  QString describe(double key) const;

  const RunModel& m_model;
  Selection& m_selection;
  QCPGraph* m_margin = nullptr;
  QCPGraph* m_bare = nullptr;
  QCPGraph* m_noise = nullptr;
  QCPGraph* m_tvd = nullptr;
  QCPGraph* m_linf = nullptr;
  QCPGraph* m_mismatches = nullptr;
};

}  // namespace equipatch
