#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QScrollArea>
#include <QSettings>
#include <QVBoxLayout>

#include "core/record/branch.h"
#include "core/run/rerun.h"
#include "ui/chart/scrollable.h"
#include "ui/export/export_dialog.h"
#include "ui/model/shortage_dialog.h"
#include "ui/prompt/sample_prompts.h"
#include "ui/run/precision_grid.h"
#include "ui/window/about_box.h"

namespace equipatch {
namespace {

const QString kThemeKey = QStringLiteral("window/theme");
const QString kPromptKey = QStringLiteral("prompt/text");
const QString kAbsorbKey = QStringLiteral("prompt/absorb");
const QString kFormKey = QStringLiteral("prompt/form");

QString titleOf(const std::string& shown) {
  return MainWindow::tr("%1 – Equipatch").arg(QString::fromStdString(shown));
}

}  // namespace

MainWindow::MainWindow(Engine& engine, QWidget* parent)
    : QMainWindow(parent),
      m_controller(engine, m_model, m_worker),
      m_lab(engine, m_worker),
      m_library(engine),
      m_chat(engine),
      m_probe(engine),
      m_files(new RunFiles(m_controller, *this)),
      m_actions(new Actions(m_theme, this)),
      m_docks(*this),
      m_messages(new MessageBar(this)),
      m_charts(new ChartGrid(m_model, m_selection, m_theme, this)),
      m_runs({m_model, m_controller, *m_files, *m_charts->logits(), *m_actions, m_theme}),
      m_modelPanel(new ModelPanel(this)),
      m_prompt(new PromptEditor(m_theme, this)),
      m_strip(new TokenStrip(m_model, m_selection, m_theme, this)),
      m_step(new StepPanel(m_model, m_selection, m_theme, this)),
      m_strength(new StrengthPanel({m_model, m_selection, m_controller, m_probe, m_theme},
                                   this)),
      m_transport(new TransportBar(*m_actions, m_controller, m_model, this)) {
  setWindowTitle(tr("Equipatch"));
  resize(1280, 800);
  setAcceptDrops(true);
  composeCentre();
  composeDocks();
  m_actions->fillMenus(*menuBar(), m_docks.toggles());
  connectActions();
  connectModels();
  restore();
  phaseChanged();
  m_library.refresh();
  m_prompt->setFocus();
}

void MainWindow::composeCentre() {
  auto* centre = new QWidget(this);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(5);
  layout->addWidget(m_messages);
  layout->addWidget(m_charts, 1);
  setCentralWidget(centre);
  addToolBar(Qt::BottomToolBarArea, m_transport);
}

void MainWindow::composeDocks() {
  QScrollArea* modelArea = scrollable(m_modelPanel);
  modelArea->setFocusPolicy(Qt::NoFocus);  // its fields are stops enough for the Tab key
  QWidget* model =
      m_docks.add(modelArea, {QStringLiteral("modelDock"), tr("Model and method"),
                              Qt::LeftDockWidgetArea, 260, 350});
  QWidget* prompt = m_docks.add(m_prompt, {QStringLiteral("promptDock"), tr("Prompt"),
                                           Qt::LeftDockWidgetArea, 260, 290});
  m_presentation =
      new Presentation(*this, m_selection, {menuBar(), m_transport, model, prompt});
  m_docks.add(m_strip, {QStringLiteral("tokensDock"), tr("Generated tokens"),
                        Qt::TopDockWidgetArea, 90});
  m_step->addStrength(m_strength);
  m_docks.add(m_step,
              {QStringLiteral("stepDock"), tr("Step"), Qt::RightDockWidgetArea, 330});
  m_docks.add(m_runs.panel(),
              {QStringLiteral("runsDock"), tr("Runs"), Qt::RightDockWidgetArea, 330, 0,
               QStringLiteral("stepDock")});
}

void MainWindow::connectActions() {
  connect(m_actions->open, &QAction::triggered, m_modelPanel, &ModelPanel::browse);
  connect(m_actions->openRun, &QAction::triggered, m_files, &RunFiles::chooseRun);
  connect(m_actions->exportFigure, &QAction::triggered, this, &MainWindow::exportFigure);
  connect(m_actions->saveRun, &QAction::triggered, m_files, &RunFiles::chooseTarget);
  connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
  connect(m_actions->run, &QAction::triggered, this, &MainWindow::run);
  connect(m_actions->step, &QAction::triggered, this, &MainWindow::step);
  connect(m_actions->pause, &QAction::triggered, &m_controller, &RunController::pause);
  connect(m_actions->stop, &QAction::triggered, &m_controller, &RunController::stop);
  connect(m_actions->followNewest, &QAction::triggered, &m_selection,
          &Selection::followNewest);
  connect(m_actions->nextMismatch, &QAction::triggered, this, [this] {
    const int next = m_model.nextMismatch(m_selection.step());
    if (next >= 0) m_selection.selectStep(next);
  });
  connect(m_actions->runGrid, &QAction::triggered, this, &MainWindow::runGrid);
  connect(m_actions->runAgain, &QAction::triggered, this, &MainWindow::runAgain);
  addAction(m_actions->present);  // also while the menu is hidden
  connect(m_actions->present, &QAction::toggled, m_presentation, &Presentation::setOn);
  connect(m_presentation, &Presentation::changed, m_actions->present,
          &QAction::setChecked);
  connect(m_actions->resetZoom, &QAction::triggered, m_charts, &ChartGrid::resetZoom);
  connect(m_actions->resetLayout, &QAction::triggered, m_charts, &ChartGrid::resetSizes);
  connect(m_actions->resetLayout, &QAction::triggered, this, [this] { m_docks.reset(); });
  connect(m_actions->lab, &QAction::triggered, this, &MainWindow::openLab);
  connect(m_actions->help, &QAction::triggered, this, &MainWindow::showHelp);
  connect(m_actions->about, &QAction::triggered, this, [this] { showAboutBox(*this); });
  connect(m_actions, &Actions::themeChosen, this, &MainWindow::setThemeMode);
}

void MainWindow::connectModels() {
  connect(m_modelPanel, &ModelPanel::modelChosen, this, &MainWindow::loadChosenModel);
  connect(m_modelPanel, &ModelPanel::forgetAsked, &m_library, &ModelLibrary::forget);
  connect(&m_controller, &RunController::phaseChanged, this, &MainWindow::phaseChanged);
  connect(&m_controller, &RunController::modelChanged, this, &MainWindow::modelChanged);
  connect(&m_controller, &RunController::failed, this, &MainWindow::showError);
  connect(&m_controller, &RunController::held, this, &MainWindow::showError);
  connect(m_files, &RunFiles::failed, this, &MainWindow::showError);
  connect(&m_runs, &RunsDesk::failed, this, &MainWindow::showError);
  connect(&m_runs, &RunsDesk::displayNamed, m_step, &StepPanel::showRun);
  connect(m_step, &StepPanel::tokenChosen, this, &MainWindow::goOnWith);
  connect(m_strength, &StrengthPanel::modelWanted, this, &MainWindow::loadModelOfRun);
  connect(&m_controller, &RunController::memoryShortage, this,
          &MainWindow::askAboutShortage);
  connect(&m_library, &ModelLibrary::failed, this, &MainWindow::showError);
  connect(&m_library, &ModelLibrary::listed, m_modelPanel, &ModelPanel::showModels);
  connect(&m_library, &ModelLibrary::listed, this,
          [this] { m_charts->setEmptyText(emptyText()); });
  connect(m_prompt, &PromptEditor::chatAsked, &m_chat, &PromptPreparer::write);
  connect(&m_chat, &PromptPreparer::written, m_prompt, &PromptEditor::showChat);
  connect(&m_chat, &PromptPreparer::failed, m_prompt, &PromptEditor::showChatProblem);
  // After the views' own connections: they know the steps before the selection moves
  // there.
  connect(&m_model, &RunModel::begun, this, &MainWindow::runBegun);
  connect(&m_model, &RunModel::appended, &m_selection,
          [this] { m_selection.setStepCount(m_model.stepCount()); });
  connect(&m_model, &RunModel::begun, this, &MainWindow::enableExports);
  connect(&m_model, &RunModel::appended, this, &MainWindow::enableExports);
  connect(&m_theme, &Theme::changed, this, &MainWindow::applyTheme);
}

void MainWindow::enableExports() {
  m_actions->exportFigure->setEnabled(!m_model.empty());
}

void MainWindow::exportFigure() {
  auto* dialog = new ExportDialog(m_runs.figureRuns(), this);
  dialog->step()->setValue(m_selection.step());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void MainWindow::openLab() {
  if (!m_labWindow) m_labWindow = new LabWindow(m_lab, m_controller, m_theme, this);
  if (const auto model = m_controller.loaded())
    m_labWindow->form()->offer(QStringLiteral("model"),
                               QString::fromStdString(model->folder));
  m_labWindow->form()->offer(QStringLiteral("prompt"), m_prompt->text());
  m_labWindow->show();
  m_labWindow->raise();
  m_labWindow->activateWindow();
}

void MainWindow::showHelp() {
  if (!m_help) m_help = new HelpDialog(*menuBar(), this);
  m_help->show();
  m_help->raise();
  m_help->activateWindow();
}

void MainWindow::restore() {
  const QSettings settings;
  m_prompt->setText(settings.value(kPromptKey, samplePrompts().front().text).toString());
  m_prompt->setForm(PromptForm(settings.value(kFormKey, 0).toInt() == 1));
  m_prompt->setAbsorbed(
      settings.value(kAbsorbKey, QStringLiteral("all")).toString().toStdString());
  m_theme.setMode(Theme::Mode(settings.value(kThemeKey, 0).toInt()));
  m_actions->setThemeMode(m_theme.mode());
  applyTheme();
  m_docks.restore();
  m_charts->restore();
  enableExports();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_presentation->setOn(false);  // it is not what comes back at the next start
  m_docks.save();
  m_charts->save();
  QSettings settings;
  settings.setValue(kPromptKey, m_prompt->text());
  settings.setValue(kFormKey, int(m_prompt->form()));
  settings.setValue(kAbsorbKey, QString::fromStdString(m_prompt->absorbed()));
  m_files->close();
  m_runs.queue().clear();
  m_controller.stop();
  m_lab.finish();
  event->accept();
}

void MainWindow::setThemeMode(Theme::Mode mode) {
  QSettings().setValue(kThemeKey, int(mode));
  m_actions->setThemeMode(mode);
  m_theme.setMode(mode);
}

void MainWindow::applyTheme() {
  QApplication::setPalette(m_theme.palette());
  setStyleSheet(m_theme.styleSheet());
}

void MainWindow::askAboutShortage(const MemoryShortage& shortage,
                                  const SessionRequest& request) {
  equipatch::askAboutShortage(*this, shortage, [this, request](ShortageAnswer answer) {
    if (!answer.load) return;
    SessionRequest changed = request;
    if (answer.dtype) m_modelPanel->setDType(*(changed.dtype = answer.dtype));
    m_controller.load(changed, MemoryCheck::Skip);
  });
}

void MainWindow::loadChosenModel() {
  if (!readyToRun()) return;
  m_runs.queue().clear();
  m_controller.load(m_modelPanel->modelRequest());
}

void MainWindow::loadModelOfRun() {
  const SessionRequest request = sessionRequestOf(*m_model.header());
  m_modelPanel->showRequest(request);
  m_controller.load(request);
}

bool MainWindow::readyToRun() {
  m_messages->dismiss();
  if (!m_modelPanel->folder().isEmpty()) return true;
  showError(
      tr("No model is chosen, but a run needs one; choose one of the list, or a folder "
         "in Hugging Face layout with Ctrl+O."));
  return false;
}

RunSettings MainWindow::settings() {
  RunSettings settings = unrecorded();
  if (m_controller.phase() == RunController::Phase::Idle) {
    m_runs.queue().clear();
    settings.record = m_files->begin(QFileInfo(m_modelPanel->folder()).fileName());
  }
  return settings;
}

RunSettings MainWindow::unrecorded() {
  RunSettings settings{m_modelPanel->modelRequest(), m_modelPanel->runRequest()};
  m_prompt->settle();
  settings.form = m_prompt->form();
  settings.absorb = m_prompt->absorbed();
  settings.run.promptText = m_prompt->text().toStdString();
  return settings;
}

void MainWindow::run() {
  if (!readyToRun()) return;
  QSettings().setValue(kPromptKey, m_prompt->text());
  m_controller.run(settings());
}

void MainWindow::step() {
  if (!readyToRun()) return;
  QSettings().setValue(kPromptKey, m_prompt->text());
  m_controller.step(settings());
}

void MainWindow::runGrid() {
  if (!readyToRun()) return;
  QSettings().setValue(kPromptKey, m_prompt->text());
  m_runs.queue().start(precisionGrid(unrecorded()));
}

void MainWindow::runLikeShown(const RunRequest& request) {
  const RunHeader& header = *m_model.header();
  const auto loaded = m_controller.loaded();
  RunSettings settings;
  settings.model = loaded && computesRun(*loaded, header) ? *m_controller.modelRequest()
                                                          : sessionRequestOf(header);
  settings.run = request;
  settings.record = m_files->begin(QString::fromStdString(header.modelName));
  m_messages->dismiss();
  m_controller.startOver(settings);
}

void MainWindow::runAgain() {
  if (m_model.header()) runLikeShown(m_model.header()->request);
}

void MainWindow::goOnWith(const Choice& choice) {
  std::vector<RunModel::Record> before;
  for (int i = 0; i < m_selection.step(); ++i) before.push_back(m_model.record(i));
  RunRequest request = branchedRequest(m_model.header()->request, before, choice);
  request.steps = m_modelPanel->runRequest().steps;
  runLikeShown(request);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() == 1 && urls.first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QFileInfo dropped(event->mimeData()->urls().value(0).toLocalFile());
  event->acceptProposedAction();
  if (m_controller.phase() != RunController::Phase::Idle)
    return showError(tr("A run is going on; stop it before another one is opened."));
  if (dropped.isFile()) return openRun(dropped.filePath());
  setFolder(dropped.filePath());
  loadChosenModel();
}

void MainWindow::showError(const QString& sentence) {
  m_messages->tell(sentence);
}

void MainWindow::runBegun() {
  m_selection.reset();
  m_selection.setLayerCount(int(m_model.header()->layers));
  const bool opened = m_controller.phase() == RunController::Phase::Loading;
  if (opened) restorePanels();
  setWindowTitle(titleOf(opened ? m_controller.file().filename().string()
                                : m_model.header()->modelName));
}

/// What an opened run was asked for, so that it can be varied.
void MainWindow::restorePanels() {
  const RunHeader& header = *m_model.header();
  m_modelPanel->showRequest(sessionRequestOf(header));
  m_modelPanel->showRun(header.request);
  m_prompt->showRun(header.request);
}

void MainWindow::phaseChanged() {
  m_actions->setPhase(m_controller.phase());
  m_actions->runAgain->setEnabled(m_model.header() != nullptr);
  m_actions->saveRun->setEnabled(m_files->canSave());
  m_charts->setEmptyText(emptyText());
}

void MainWindow::modelChanged() {
  const std::shared_ptr<const LoadedModel> model = m_controller.loaded();
  m_modelPanel->showModel(model);
  m_prompt->setModel(model);
  if (model) m_library.refresh();  // it is among those used before now
  setWindowTitle(model ? titleOf(model->name) : tr("Equipatch"));
  m_charts->setEmptyText(emptyText());
}

QString MainWindow::emptyText() const {
  switch (m_controller.phase()) {
    case RunController::Phase::Loading:
      return tr("Loading the model…");
    case RunController::Phase::Running:
      return tr("Computing the first step…");
    case RunController::Phase::Paused:
      return tr("Paused before the first step.");
    default:
      break;
  }
  return m_modelPanel->folder().isEmpty() ? tr("Choose a model to begin.")
                                          : tr("Press Run (F5) to compare the passes.");
}

}  // namespace equipatch
