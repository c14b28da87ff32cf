#pragma once

#include "core/figure/run_figures.h"
#include "ui/chart/logit_chart.h"
#include "ui/run/run_files.h"
#include "ui/run/run_queue.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/actions.h"

namespace equipatch {

/// Everything of the window about more than one run: the list and its panel, other runs
/// in the logit chart, rows of runs, and going back to an earlier one.
class RunsDesk final : public QObject {
  Q_OBJECT

 public:
  /// All outlive the desk.
  struct Sources {
    const RunModel& model;
    RunController& controller;
    RunFiles& files;
    LogitChart& chart;
    Actions& actions;
    const Theme& theme;
  };
  explicit RunsDesk(const Sources& sources, QObject* parent = nullptr);

  RunList& list() { return m_list; }
  RunQueue& queue() { return m_queue; }
  RunsPanel* panel() { return m_panel; }
  /// The run on display, which must have steps, and behind it the others that are ticked.
  std::vector<FigureRun> figureRuns() const;

 Q_SIGNALS:
  /// What the run on display is called, and how charts draw it: null when none does.
  void displayNamed(const QString& name, const QIcon& swatch);
  /// One sentence for the user.
  void failed(const QString& sentence);

 private:
  void connectAll();
  void showRuns();
  void nameDisplay();
  void display(int row);

  Sources m_sources;
  RunList m_list;
  RunQueue m_queue;
  RunsPanel* m_panel;  ///< the dock's
};

}  // namespace equipatch
