// SPDX-License-Identifier: GPL-3.0-or-later
#include <QScrollArea>

#include "ui/chart/small_widgets.h"
#include "ui/model/block_view.h"
#include "ui/prompt/prompt_preparer.h"
#include "ui/window/main_window.h"

namespace equipatch {
namespace {

QWidget* scrolledPanel(ModelPanel& panel) {
  QScrollArea* area = scrollable(&panel);
  area->setFocusPolicy(Qt::NoFocus);  // Tab goes to the panel's fields, not to the area
  return area;
}

}  // namespace

/// Adds the docks, one call per dock. Their order gives the shortcuts Alt+1, Alt+2, …
void MainWindow::addDocks(Engine& engine) {
  connect(&m_runs.panel(), &RunsPanel::openRequested, this, &MainWindow::openRuns);
  m_charts->addGuest(m_runs.panel().accuracy());
  m_docks.add(scrolledPanel(m_models.panel()), {.name = QStringLiteral("modelDock"),
                                                .title = tr("Model and method"),
                                                .area = Qt::LeftDockWidgetArea,
                                                .extent = 260,
                                                .length = 350,
                                                .presented = false});
  m_docks.add(m_prompt, {.name = QStringLiteral("promptDock"),
                         .title = tr("Prompt"),
                         .area = Qt::LeftDockWidgetArea,
                         .extent = 260,
                         .length = 290,
                         .presented = false});
  m_docks.add(new TokenStrip(m_model, m_selection, m_theme, m_shelf, this),
              {.name = QStringLiteral("tokensDock"),
               .title = tr("Generated tokens"),
               .area = Qt::TopDockWidgetArea,
               .extent = 90});
  m_docks.add(makeStepPanel(engine), {.name = QStringLiteral("stepDock"),
                                      .title = tr("Step"),
                                      .area = Qt::RightDockWidgetArea,
                                      .extent = 330});
  m_docks.add(&m_runs.panel(), {.name = QStringLiteral("runsDock"),
                                .title = tr("Runs"),
                                .area = Qt::RightDockWidgetArea,
                                .extent = 330,
                                .behind = QStringLiteral("stepDock")});
  m_docks.add(new BlockPanel({m_model, m_selection, m_controller, m_theme}, this),
              {.name = QStringLiteral("blockDock"),
               .title = tr("Block"),
               .area = Qt::RightDockWidgetArea,
               .extent = 330,
               .behind = QStringLiteral("stepDock")});
  m_docks.add(makeTextPanel(engine), {.name = QStringLiteral("textDock"),
                                      .title = tr("Texts"),
                                      .area = Qt::RightDockWidgetArea,
                                      .extent = 330,
                                      .behind = QStringLiteral("stepDock")});
}

TextPanel* MainWindow::makeTextPanel(Engine& engine) {
  auto* bare = new BareText(engine, this);
  auto* texts = new TextPanel({m_model, m_selection, m_controller, *bare, m_theme}, this);
  connect(texts, &TextPanel::modelRequested, this, &MainWindow::loadModelOfRun);
  return texts;
}

PromptEditor* MainWindow::makePrompt(Engine& engine) {
  auto* prompt = new PromptEditor(m_theme, m_shelf, this);
  auto* preparer = new PromptPreparer(engine, this);
  connect(prompt, &PromptEditor::preparationRequested, preparer,
          &PromptPreparer::prepare);
  connect(preparer, &PromptPreparer::prepared, prompt, &PromptEditor::showPrepared);
  connect(preparer, &PromptPreparer::failed, prompt, &PromptEditor::showProblem);
  connect(prompt, &PromptEditor::modelRequested, this, &MainWindow::loadChosenModel);
  connect(&m_controller, &RunController::modelChanged, prompt,
          [this, prompt] { prompt->setModel(m_controller.loaded()); });
  return prompt;
}

StepPanel* MainWindow::makeStepPanel(Engine& engine) {
  auto* panel = new StepPanel(m_model, m_selection, m_theme, this);
  auto* probe = new StrengthProbe(engine, this);
  auto* strength =
      new StrengthPanel({m_model, m_selection, m_controller, *probe, m_theme}, this);
  panel->addStrength(strength);
  connect(&m_runs, &RunDesk::displayNamed, panel, &StepPanel::showRun);
  connect(panel, &StepPanel::tokenChosen, &m_runs, &RunDesk::branchWith);
  connect(strength, &StrengthPanel::modelRequested, this, &MainWindow::loadModelOfRun);
  return panel;
}

}  // namespace equipatch
