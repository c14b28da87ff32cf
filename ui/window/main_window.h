#pragma once

#include <QMainWindow>

#include "ui/chart/theme.h"
#include "ui/inspect/step_panel.h"
#include "ui/lab/lab_window.h"
#include "ui/model/model_library.h"
#include "ui/model/model_panel.h"
#include "ui/prompt/prompt_preparer.h"
#include "ui/prompt/prompt_editor.h"
#include "ui/prompt/token_strip.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_files.h"
#include "ui/run/run_model.h"
#include "ui/run/selection.h"
#include "ui/run/strength_probe.h"
#include "ui/window/actions.h"
#include "ui/window/chart_grid.h"
#include "ui/window/dock_layout.h"
#include "ui/window/help_dialog.h"
#include "ui/window/message_bar.h"
#include "ui/window/presentation.h"
#include "ui/window/runs_desk.h"
#include "ui/window/transport_bar.h"

namespace equipatch {

/// The window: composes the panels, hands commands to the controller, and remembers
/// places, theme and prompt. All logic is in what it composes.
class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  /// @param engine outlives the window.
  explicit MainWindow(Engine& engine, QWidget* parent = nullptr);

  void setFolder(const QString& folder) { m_modelPanel->setFolder(folder); }
  void setPrompt(const QString& text) { m_prompt->setText(text); }
  void setSteps(int steps) { m_modelPanel->setSteps(steps); }
  void setThemeMode(Theme::Mode mode);

  const RunController& controller() const { return m_controller; }
  const LabController& lab() const { return m_lab; }
  const RunModel& model() const { return m_model; }
  Selection& selection() { return m_selection; }
  RunList& runs() { return m_runs.list(); }
  const ChartGrid& charts() const { return *m_charts; }
  const MessageBar& messages() const { return *m_messages; }
  const Actions& actions() const { return *m_actions; }

 public Q_SLOTS:
  void run();
  void step();
  void loadChosenModel();
  void openRun(const QString& file) { m_files->open(file); }
  /// Offers what the last start left behind.
  void greet() { m_files->greet(); }
  void showError(const QString& sentence);
  /// The run on display once more, exactly as it was asked for.
  void runAgain();
  /// A new run that leaves the one on display at the selected step with another token.
  void goOnWith(const Choice& choice);
  /// The prompt once for each of `precisionGrid`.
  void runGrid();
  /// Opens a dialog beside the window, which goes on. Needs a step to draw.
  void exportFigure();
  /// Opens the lab, a window beside this one; offers it the loaded model and the prompt.
  void openLab();
  void showHelp();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void composeCentre();
  void composeDocks();
  void connectActions();
  void connectModels();
  void restore();
  void applyTheme();
  void phaseChanged();
  void modelChanged();
  void runBegun();
  void loadModelOfRun();
  void enableExports();
  void askAboutShortage(const MemoryShortage& shortage, const SessionRequest& request);
  QString emptyText() const;
  /// Tells what is missing and returns false when there is no model folder.
  bool readyToRun();
  RunSettings settings();
  /// The same without a file to record into.
  RunSettings unrecorded();
  /// Starts `request` on the model of the run on display.
  void runLikeShown(const RunRequest& request);
  void restorePanels();

  Theme m_theme;
  RunModel m_model;
  Selection m_selection;
  SharedWorker m_worker;  // before its users
  RunController m_controller;
  LabController m_lab;
  ModelLibrary m_library;
  PromptPreparer m_chat;
  StrengthProbe m_probe;
  RunFiles* m_files;
  Actions* m_actions;
  DockLayout m_docks;
  MessageBar* m_messages;
  ChartGrid* m_charts;
  RunsDesk m_runs;
  ModelPanel* m_modelPanel;
  PromptEditor* m_prompt;
  TokenStrip* m_strip;
  StepPanel* m_step;
  StrengthPanel* m_strength;
  TransportBar* m_transport;
  Presentation* m_presentation = nullptr;
  LabWindow* m_labWindow = nullptr;  ///< made when it is first asked for
  HelpDialog* m_help = nullptr;      ///< likewise
};

}  // namespace equipatch
