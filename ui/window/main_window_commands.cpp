// SPDX-License-Identifier: GPL-3.0-or-later
#include <QActionGroup>
#include <QMenuBar>
#include <algorithm>
#include <vector>

#include "ui/window/help_dialog.h"
#include "ui/window/main_window.h"

namespace equipatch {

void MainWindow::addCommands() {
  addFileMenu();
  addRunMenu();
  addViewMenu();
  addHelpMenu();
  for (const QAction* entry : menuBar()->actions()) showFurtherToolTips(*entry->menu());
}

void MainWindow::addFileMenu() {
  QMenu& menu = *menuBar()->addMenu(tr("&File"));
  RunFiles& files = m_runs.files();
  const auto idle = [this] { return m_controller.phase() == RunController::Phase::Idle; };
  m_commands.add(menu, {.name = "open",
                        .text = tr("&Open model…"),
                        .keys = {QKeySequence::Open},
                        .run = [this] { m_models.panel().browse(); }});
  m_commands.add(menu, {.name = "getModel", .text = tr("&Get a model…"), .run = [this] {
                          m_models.showHub();
                        }});
  menu.addSeparator();
  m_commands.add(menu, {.name = "openRun",
                        .text = tr("Open &run…"),
                        .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_O},
                        .run = [&files] { files.chooseRun(); },
                        .enabled = idle});
  m_commands.add(menu, {.name = "earlierRuns",
                        .text = tr("&Earlier runs…"),
                        .keys = {Qt::CTRL | Qt::Key_H},
                        .run = [this] { m_runs.showEarlierRuns(); },
                        .toolTip = tr("All recorded runs, with names, tags and notes")});
  m_commands.add(menu, {.name = "saveRun",
                        .text = tr("&Save run as…"),
                        .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_S},
                        .run = [&files] { files.chooseTarget(); },
                        .enabled = [&files] { return files.canSave(); }});
  m_commands.add(menu, {.name = "exportFigure",
                        .text = tr("Export &figure…"),
                        .keys = {Qt::CTRL | Qt::Key_E},
                        .run = [this] { m_runs.exportFigure(); },
                        .enabled = [this] { return !m_model.empty(); }});
  m_commands.add(menu,
                 {.name = "exportData",
                  .text = tr("Export &data…"),
                  .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_E},
                  .run = [this] { m_runs.exportData(); },
                  .enabled = [this] { return m_runs.canExportData(); },
                  .toolTip = tr("The run on display as CSV, JSON or NumPy; a step's "
                                "patch as a LoRA adapter or in a checkpoint")});
  m_commands.add(menu, {.name = "exportPage",
                        .text = tr("Export &page…"),
                        .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_P},
                        .run = [this] { m_runs.exportPage(); },
                        .enabled = [this] { return !m_model.empty(); },
                        .toolTip = tr("The run on display and the other ticked ones as "
                                      "one file that opens in any browser")});
  menu.addSeparator();
  m_commands.add(menu, {.name = "quit",
                        .text = tr("&Quit"),
                        .keys = {Qt::CTRL | Qt::Key_Q},
                        .run = [this] { close(); },
                        .role = QAction::QuitRole});
}

void MainWindow::addRunMenu() {
  using Phase = RunController::Phase;
  QMenu& menu = *menuBar()->addMenu(tr("&Run"));
  const auto during = [this](std::initializer_list<Phase> phases) {
    return [this, phases = std::vector<Phase>(phases)] {
      return std::ranges::find(phases, m_controller.phase()) != phases.end();
    };
  };
  // A run that is requested while a model is being loaded starts after the load.
  const auto duringOrLoading = [this, during](std::initializer_list<Phase> phases) {
    return [this, isDuring = during(phases)] {
      return isDuring() || m_controller.canRunWhenLoaded();
    };
  };
  m_commands.add(menu, {.name = "run",
                        .text = tr("&Run"),
                        .keys = {Qt::Key_F5, Qt::CTRL | Qt::Key_R},
                        .run = [this] { m_runs.run(); },
                        .enabled = duringOrLoading({Phase::Idle, Phase::Paused})});
  m_commands.add(menu, {.name = "pause",
                        .text = tr("&Pause"),
                        .keys = {Qt::Key_F6},
                        .run = [this] { m_controller.pause(); },
                        .enabled = during({Phase::Running})});
  m_commands.add(
      menu, {.name = "step",
             .text = tr("&Step"),
             .keys = {Qt::Key_F7},
             .run = [this] { m_runs.step(); },
             .enabled = duringOrLoading({Phase::Idle, Phase::Running, Phase::Paused})});
  m_commands.add(menu,
                 {.name = "stop",
                  .text = tr("S&top"),
                  .keys = {Qt::Key_F8, Qt::SHIFT | Qt::Key_F5},
                  .run = [this] { m_runs.stop(); },
                  .enabled = during({Phase::Loading, Phase::Running, Phase::Paused})});
  menu.addSeparator();
  m_commands.add(menu,
                 {.name = "runAgain",
                  .text = tr("Run &again as recorded"),
                  .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_R},
                  .run = [this] { m_runs.runAgain(); },
                  .enabled = [this] { return m_model.header() != nullptr; },
                  .toolTip = tr("Repeats the run on display: the same model, tokens and "
                                "method")});
  m_commands.add(
      menu, {.name = "continueRun",
             .text = tr("C&ontinue the run"),
             .keys = {Qt::CTRL | Qt::Key_F5},
             .run = [this] { m_runs.continueRun(); },
             .enabled = [this] { return m_runs.obstacleToContinuing().isEmpty(); },
             .toolTip = tr("Computes the steps that the run on display lacks and adds "
                           "them to its file")});
  m_commands.add(
      menu, {.name = "useSettings",
             .text = tr("&Use the settings of this run"),
             .run = [this] { m_runs.useShownSettings(); },
             .enabled = [this] { return m_model.header() != nullptr; },
             .toolTip = tr("Sets model, dtype, method, steps and prompt as the run on "
                           "display had them")});
  m_commands.add(menu, {.name = "runGrid",
                        .text = tr("Run the &grid"),
                        .keys = {Qt::CTRL | Qt::Key_G},
                        .run = [this] { m_runs.runGrid(); },
                        .enabled = during({Phase::Idle})});
  m_commands.add(menu, {.name = "runEachSentence",
                        .text = tr("Run each sentence, a&bsorbed alone"),
                        .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_G},
                        .run = [this] { m_runs.runEachSentence(); },
                        .enabled = during({Phase::Idle}),
                        .toolTip = tr("Runs the prompt once for each of its sentences, "
                                      "and ranks them by their effect (KL divergence)")});
  menu.addSeparator();
  addListCommands(menu);
}

void MainWindow::addListCommands(QMenu& menu) {
  RunList& runs = m_runs.list();
  m_commands.add(menu, {.name = "compareSteps",
                        .text = tr("&Compare two runs step by step"),
                        .keys = {Qt::CTRL | Qt::Key_D},
                        .run = [this] { m_runs.panel().compareSteps(); },
                        .enabled = [&runs] { return runs.count() >= 2; }});
  m_commands.add(menu,
                 {.name = "closeRun",
                  .text = tr("C&lose run"),
                  .keys = {Qt::CTRL | Qt::Key_W},
                  .run = [this, &runs] { m_runs.panel().closeRuns({runs.current()}); },
                  .enabled = [&runs] { return runs.current() >= 0; }});
  m_commands.add(menu, {.name = "reopenRun",
                        .text = tr("R&eopen closed runs"),
                        .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_T},
                        .run = [this] { m_runs.reopen(); },
                        .enabled = [&runs] { return runs.canReopen(); }});
}

void MainWindow::addViewMenu() {
  QMenu& menu = *menuBar()->addMenu(tr("&View"));
  m_commands.add(menu, {.name = "followNewest",
                        .text = tr("&Follow newest step"),
                        .keys = {Qt::CTRL | Qt::Key_End},
                        .run = [this] { m_selection.followNewest(); }});
  m_commands.add(menu, {.name = "nextMismatch",
                        .text = tr("Next &mismatch"),
                        .keys = {Qt::Key_F3},
                        .run = [this] { selectNextMismatch(); }});
  m_commands.add(menu, {.name = "resetZoom",
                        .text = tr("Reset &zoom of all charts"),
                        .keys = {Qt::CTRL | Qt::Key_0},
                        .run = [this] {
                          for (auto* chart : findChildren<ChartView*>())
                            chart->resetZoom();
                        }});
  m_commands.add(menu, {.name = "lab",
                        .text = tr("&Lab…"),
                        .keys = {Qt::CTRL | Qt::Key_L},
                        .run = [this] { openLab(); },
                        .toolTip = tr("The papers' experiments, on small models "
                                      "(Ctrl+L)")});
  menu.addSeparator();
  menu.addActions(m_docks.toggles());
  // A presentation hides the menu bar, and shortcuts of a hidden menu do not work.
  // Commands whose shortcuts a presentation needs are added to the window as well.
  addActions(m_docks.toggles());
  menu.addSeparator();
  m_commands.add(menu,
                 {.name = "explain",
                  .text = tr("&Explain the charts in words"),
                  .run = [this] { setExplained(!m_charts->isExplained()); },
                  .checked = [this] { return m_charts->isExplained(); },
                  .toolTip = tr("A line under each title about what the chart shows at "
                                "this step, and the run in one sentence")});
  addThemes(*menu.addMenu(tr("&Theme")));
  addAction(m_commands.add(
      menu, {.name = "present",
             .text = tr("&Presentation"),
             .keys = {Qt::Key_F11},
             .run = [this] { m_presentation->setOn(!m_presentation->isOn()); },
             .checked = [this] { return m_presentation->isOn(); }}));
  m_commands.add(menu, {.name = "resetLayout",
                        .text = tr("Reset l&ayout"),
                        .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_0},
                        .run = [this] {
                          m_charts->resetSizes();
                          m_docks.reset();
                        }});
}

void MainWindow::addThemes(QMenu& menu) {
  auto* group = new QActionGroup(this);
  const auto add = [&](const char* name, const QString& text, Theme::Mode mode) {
    group->addAction(m_commands.add(
        menu, {.name = name,
               .text = text,
               .run = [this, mode] { setThemeMode(mode); },
               .checked = [this, mode] { return m_theme.mode() == mode; }}));
  };
  add("themeSystem", tr("As the &system"), Theme::Mode::System);
  add("themeLight", tr("&Light"), Theme::Mode::Light);
  add("themeDark", tr("&Dark"), Theme::Mode::Dark);
}

void MainWindow::addHelpMenu() {
  QMenu& menu = *menuBar()->addMenu(tr("&Help"));
  addAction(m_commands.add(menu, {.name = "help",
                                  .text = tr("&Help"),
                                  .keys = {QKeySequence::HelpContents},
                                  .run = [this] { showHelp(*this); },
                                  .toolTip = tr("First steps, words, keys (F1)")}));
  m_lessons->attach(*menu.addMenu(tr("&Lessons")));
  RecordDesk& record = m_lessons->record();
  m_commands.add(
      menu,
      {.name = "recordLesson",
       .text = tr("&Record as lesson"),
       .run = [&record] { record.isRecording() ? record.stop() : record.start(); },
       .enabled = [this] { return !m_lessons->player(); },
       .checked = [&record] { return record.isRecording(); },
       .toolTip = tr("Records the runs, selections and settings that you make in this "
                     "window, as the pages of a lesson that others can play")});
  m_commands.add(menu, {.name = "cite",
                        .text = tr("&Cite…"),
                        .run = [this] { showHelp(*this, HelpPage::Cite); },
                        .toolTip = tr("The papers, with DOI and BibTeX")});
  m_commands.add(menu, {.name = "about",
                        .text = tr("&About Equipatch"),
                        .run = [this] { showAboutBox(*this); },
                        .role = QAction::AboutRole});
}

}  // namespace equipatch
