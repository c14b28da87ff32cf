// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <optional>
#include <vector>

#include "core/figure/step_panels.h"
#include "ui/chart/chart_view.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// Differences of the logits by step: all quantities of the run on display, and the
/// chosen quantity of each other run. If runs are grouped: only the chosen quantity, one
/// curve per group.
class LogitChart final : public ChartView {
  Q_OBJECT

 public:
  /// @param model, selection, theme outlive the chart.
  LogitChart(const RunModel& model, Selection& selection, const Theme& theme,
             QWidget* parent = nullptr);

  /// @param own name, style and `begins` of the run on display; absent if no run is on
  /// display
  void setOthers(std::vector<FigureRun> others, const std::optional<FigureRun>& own);
  QComboBox* measures() const { return m_measure; }
  /// Chooses a curve per run, or a median with a band per group of runs.
  QComboBox* groupings() const { return m_grouping; }
  int otherCount() const { return int(m_others.size()); }

 private:
  /// The x coordinate of step 0 of the run on display.
  int firstPlace() const { return compares() ? int(m_own.begins) : 0; }
  void selectPlace(double place);
  void mark(int step);
  bool compares() const { return !m_others.empty(); }
  StepMeasure measure() const;
  RunGrouping grouping() const;
  bool isGrouped() const { return compares() && grouping() != RunGrouping::Each; }
  void addMeasures();
  void addGroupings();
  void connectAll();
  void begin();
  void rebuild();
  void append();
  void stepChanged(int step);
  FigurePanel wholePanel() const;
  bool isMeasureAbsent() const;

  const RunModel& m_model;
  Selection& m_selection;
  std::vector<FigureRun> m_others;
  FigureRun m_own;
  int m_drawn = 0;  ///< steps of the run on display that the panel has
  QComboBox* m_measure;
  QComboBox* m_grouping;
};

}  // namespace equipatch
