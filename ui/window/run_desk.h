// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/figure/run_figures.h"
#include "ui/chart/logit_chart.h"
#include "ui/prompt/prompt_editor.h"
#include "ui/run/run_exporter.h"
#include "ui/run/run_files.h"
#include "ui/run/run_opener.h"
#include "ui/run/run_queue.h"
#include "ui/runs/earlier_runs.h"
#include "ui/runs/run_labeller.h"
#include "ui/runs/runs_panel.h"
#include "ui/window/model_desk.h"

namespace equipatch {

/// Starts runs with the settings of the panels or of an earlier run. Manages the runs'
/// files, the list of runs with its panel, and the other runs in the logit chart.
class RunDesk final : public QObject {
  Q_OBJECT

 public:
  /// All referenced objects outlive the desk.
  struct Sources {
    const RunModel& model;
    const Selection& selection;
    RunController& controller;
    ModelDesk& models;
    PromptEditor& prompt;
    LogitChart& chart;
    RunExporter& exporter;
    MessageBar& messages;
    const Theme& theme;
    QWidget& window;
  };
  explicit RunDesk(const Sources& sources);

  /// Which runs of a grid to start: those that the list lacks, or all.
  enum class GridRuns { Missing, All };

  RunFiles& files() { return m_files; }
  RunList& list() { return m_list; }
  RunsPanel& panel() { return *m_panel; }
  /// Sets whether the records of later runs hold the whole patch.
  void setKeepsFactors(bool keeps) { m_keepsFactors = keeps; }
  /// Sets the labels that later runs get in their files when they end; empty: none.
  void setLabels(RunLabels labels) { m_labeller.setLabels(std::move(labels)); }
  /// True if the run on display has a step and a file, and no run or load is in progress.
  bool canExportData() const;
  /// Why the run on display cannot be continued; empty if it can.
  QString obstacleToContinuing() const;
  void display(int row);  ///< or says why not; does not change the panels
  /// The ticked runs with steps, the displayed one first; without ticks, only that one.
  std::vector<FigureRun> figureRuns() const;

 public Q_SLOTS:
  /// Puts the runs that were closed last back into the list.
  void reopen();
  /// Resumes a paused run; otherwise runs the prompt with the panels' settings.
  void run();
  /// As `run`, but pauses after one more step.
  void step();
  void stop();
  /// Runs the prompt with each setting of precisionGrid(). Ignored during a run or load.
  void runGrid(GridRuns which = GridRuns::Missing);
  /// Absorbs each sentence of the prompt in a run of its own; ignored like runGrid.
  void runEachSentence();
  void runAgain();
  /// Computes and records the steps that the run on display lacks.
  void continueRun();
  void continueFile(const QString& file);  ///< shows the file's run, then continues it
  /// Starts a new run from the selected step of the run on display, with another token
  /// and with as many steps as the panels say.
  void branchWith(const Choice& choice);
  /// Opens recorded runs one after another, or says that a run or load is in progress.
  void open(const QStringList& files);
  void exportFigure();  ///< call only if the run on display has a step
  void exportData();    ///< call only if canExportData
  /// Writes the run on display and the ticked runs as a web page.
  void exportPage();  ///< call only if the run on display has a step
  /// Copies the settings and the prompt of the run on display into the panels.
  void useShownSettings();
  void showEarlierRuns();
  void exportChart(const ChartView& chart);
  void copyChart(const ChartView& chart);          ///< in the style of the last export
  int runsLeft() const { return m_queue.left(); }  ///< in the queue, not yet begun
  void close();                                    ///< call when the program ends

 Q_SIGNALS:
  void starting();      ///< a run starts with the editor's prompt
  void gridStarting();  ///< the runs of a grid start; follows `starting`
  void filesRemoved();  ///< the file of the run on display may be among them
  /// The name and the colour swatch of the run on display. `swatch` is null if the list
  /// lacks the run.
  void displayNamed(const QString& name, const QIcon& swatch);
  void branchShown(int inheritedTokens);  ///< at the end of the displayed run's prompt
  /// Whether the settings of the run on display may differ from those of the panels.
  void settingsOffered(bool offered);

 private:
  void connectAll();
  void announceStart();
  void showRuns();
  std::vector<RunSettings> sentenceRuns();
  bool leavesMissing(std::vector<RunSettings>& runs) const;
  std::optional<int> rowOf(const RunSettings& run) const;
  void tickOnly(const std::vector<RunSettings>& runs);
  std::vector<FigureRun> listedRuns() const;
  /// The run on display, then the others in these rows, with branches aligned.
  std::vector<FigureRun> withDisplayed(const std::vector<int>& rows) const;
  QString displayName() const;  ///< of the run on display, which must exist
  void nameDisplay();
  void displayNearest(int row);
  void displayWaiting();
  Figure figureOf(const ChartView& chart) const;
  void writePage(const QString& path, std::vector<FigureRun> runs);
  bool applyAbsorbedField();
  bool requirePrompt();
  void promptEdited();
  void phaseChanged();
  void continueOpened();
  SessionRequest modelOfShown() const;  ///< of the run on display, which must exist
  RunSettings settingsWithoutFile();    ///< of the panels; without a file to record into
  /// As settingsWithoutFile. If the run can start now or once the model is loaded, also
  /// empties the queue and adds a file.
  RunSettings prepareRun();
  void runOnShownModel(const RunRequest& request);  ///< of the run on display
  Sources m_sources;
  RunFiles m_files;
  FileSaver m_pages;
  RunOpener m_opener;
  RunList m_list;
  RunQueue m_queue;
  RunsPanel* m_panel;                      ///< owned by its dock
  EarlierRunsDialog* m_earlier = nullptr;  ///< owned by the window, made on first use
  bool m_keepsFactors = false;
  RunLabeller m_labeller;
  /// The runs that the user unticked for the last page; empty once it is written.
  std::vector<std::shared_ptr<const RunHeader>> m_leftOut;
  std::filesystem::path m_toContinue;  ///< run to continue once it is open
  std::filesystem::path m_toDisplay;   ///< run to display when the current load ends
  bool m_startedFromPanels = false;
  QString m_promptCall;  ///< the last message that asked for a prompt; empty: none
};

}  // namespace equipatch
