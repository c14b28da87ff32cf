// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>

#include "ui/inspect/step_panel.h"
#include "ui/inspect/text_panel.h"
#include "ui/lab/lab_controller.h"
#include "ui/lesson/lesson_desk.h"
#include "ui/prompt/token_strip.h"
#include "ui/window/commands.h"
#include "ui/window/plain_labels.h"
#include "ui/window/presentation.h"
#include "ui/window/run_desk.h"
#include "ui/window/run_line.h"
#include "ui/window/window_settings.h"

namespace equipatch {

class LabWindow;

/// The window: composes its parts and connects them.
class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  /// @param engine outlives the window.
  explicit MainWindow(Engine& engine, QWidget* parent = nullptr);
  /// Waits for the job in progress: names that the user gave its run are saved when the
  /// run ends.
  ~MainWindow() override;

  void setFolder(const QString& folder) { m_models.panel().setFolder(folder); }
  /// Replaces the prompt by a text. A chat stays a chat; token ids are replaced by raw
  /// text.
  void setPrompt(const QString& text);
  void setSteps(int steps) { m_models.panel().setSteps(steps); }
  void setThemeMode(Theme::Mode mode);

  const RunController& controller() const { return m_controller; }
  const LabController& lab() const { return m_lab; }
  const RunModel& model() const { return m_model; }
  Selection& selection() { return m_selection; }
  RunList& runs() { return m_runs.list(); }
  const ChartGrid& charts() const { return *m_charts; }
  const MessageBar& messages() const { return *m_messages; }
  const RunLine& line() const { return *m_line; }
  LessonDesk& lessons() { return *m_lessons; }
  /// The action of a command of main_window_commands.cpp. @throws std::out_of_range
  QAction* command(const char* name) const { return m_commands.action(name); }

 public Q_SLOTS:
  void run() { m_runs.run(); }
  void loadChosenModel() { m_models.loadChosen(); }
  void openRuns(const QStringList& files) { m_runs.open(files); }
  /// Offers to continue or open an interrupted run, and to delete surplus recorded runs.
  void askAboutStoredRuns() { m_runs.files().askAboutStoredRuns(); }
  void showError(const QString& sentence) { m_messages->showMessage(sentence); }

 Q_SIGNALS:
  /// Emitted once: after the window's first paint or, if the window is not painted
  /// (minimised), shortly after the event loop began. Load libraries only from then on:
  /// drawing starts threads, and no thread can start while another one loads a library.
  void opened();

 protected:
  bool focusNextPrevChild(bool next) override;
  void paintEvent(QPaintEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  QWidget* makeCentre();
  void addDocks(Engine& engine);
  PromptEditor* makePrompt(Engine& engine);
  StepPanel* makeStepPanel(Engine& engine);
  TextPanel* makeTextPanel(Engine& engine);
  void addCommands();
  void addFileMenu();
  void addRunMenu();
  void addListCommands(QMenu& menu);
  void addViewMenu();
  void addThemes(QMenu& menu);
  void addHelpMenu();
  void connectAll();
  void applyTheme();
  void setExplained(bool explained);
  void open();
  void lessonsChanged();
  void showNextRun();
  void runStarted();
  void loadModelOfRun() { m_models.loadModelOf(*m_model.header()); }
  void showTellingStep();
  void selectNextMismatch();
  LabWindow* openLab();
  bool startLab(const QString& experiment);
  void addLessons();
  void showTitle();
  void showEmptyText();

  PlainLabels m_plainLabels{this};  // first: it must exist before any label is polished
  Theme m_theme;
  RunModel m_model;
  Selection m_selection;
  SharedWorker m_worker;  // declared before its users, so that it outlives them
  RunController m_controller;
  LabController m_lab;
  MessageBar* m_messages;
  RunLine* m_line;
  ChartGrid* m_charts;
  ModelDesk m_models;
  PictureShelf m_shelf{PictureShelf::folder()};
  PictureMapper m_mapper;
  RunExporter m_exporter;
  PromptEditor* m_prompt;
  RunDesk m_runs;
  DockLayout m_docks;
  WindowSettings m_settings;
  Commands m_commands;
  Presentation* m_presentation = nullptr;
  LessonDesk* m_lessons = nullptr;
  std::string m_runTitle;      ///< empty while no run is on display
  PromptSource m_promptOfRun;  ///< the editor's, for the run on display
  bool m_isLessonPlayed = false;
  bool m_isNewRun = false;  ///< no job has ended since the run on display began
  bool m_opened = false;
};

}  // namespace equipatch
