#pragma once

#include <QComboBox>
#include <optional>
#include <vector>

#include "ui/chart/chart_view.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// Another run to be drawn beside the one on display, and how.
struct OverlaidRun {
  SeriesStyle style;
  std::vector<RunModel::Record> steps;
};

/// Difference of the passes' logits by step, logarithmic: L∞ and TVD of the patched pass,
/// ✗ where the most likely tokens differ; bare control, margin and noise as references.
/// Beside other runs, L∞ or TVD of each.
class LogitChart final : public ChartView {
  Q_OBJECT

 public:
  /// @param model, selection, theme outlive the chart.
  LogitChart(const RunModel& model, Selection& selection, const Theme& theme,
             QWidget* parent = nullptr);

  /// @param own how the run on display looks among others; nothing when there are none
  void setOthers(std::vector<OverlaidRun> others, const std::optional<SeriesStyle>& own);
  QComboBox* measures() const { return m_measure; }
  /// Of the other runs, in their order.
  const QList<QCPGraph*>& others() const { return m_otherGraphs; }

  const QCPGraph* linf() const { return m_linf; }
  const QCPGraph* tvd() const { return m_tvd; }
  const QCPGraph* bare() const { return m_bare; }
  const QCPGraph* margin() const { return m_margin; }
  const QCPGraph* noise() const { return m_noise; }
  const QCPGraph* mismatches() const { return m_mismatches; }

 private:
  bool compares() const { return !m_others.empty(); }
  void addMeasures();
  void addAllSeries();
  void addRuns();
  void addMismatches();
  void setReferencesPresent();
  void rebuild();
  void connectAll();
  void begin();
  void append(int first);
  void addReferences(int step, const StepRecord& record);
  std::vector<QCPGraph*> lines() const;
  double measured(const StepRecord& record) const;
  void fit();
  QString describe(double key) const;
  QString describeRuns(int step) const;

  const RunModel& m_model;
  Selection& m_selection;
  std::vector<OverlaidRun> m_others;
  std::optional<SeriesStyle> m_own;
  QComboBox* m_measure;
  QList<QCPGraph*> m_otherGraphs;
  QCPGraph* m_margin = nullptr;
  QCPGraph* m_bare = nullptr;
  QCPGraph* m_noise = nullptr;
  QCPGraph* m_tvd = nullptr;
  QCPGraph* m_linf = nullptr;
  QCPGraph* m_mismatches = nullptr;
};

}  // namespace equipatch
