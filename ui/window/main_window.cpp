// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/run/rerun.h"
#include "ui/lab/lab_window.h"
#include "ui/model/block_view.h"
#include "ui/model/run_options.h"
#include "ui/prompt/picture_dialog.h"
#include "ui/window/shortcut_guard.h"
#include "ui/window/tab_order.h"
#include "ui/window/tip_key.h"
#include "ui/window/wheel_guard.h"

namespace equipatch {
namespace {

using RunPhase = RunController::Phase;

constexpr int kUnpaintedMilliseconds = 500;  // then `opened` is emitted without a paint

/// The files of the URLs if all are local run files; otherwise empty.
QStringList runFiles(const QList<QUrl>& urls) {
  QStringList files;
  for (const QUrl& url : urls) {
    if (!url.toLocalFile().endsWith(QStringLiteral(".eqrun"))) return {};
    files << url.toLocalFile();
  }
  return files;
}

}  // namespace

MainWindow::MainWindow(Engine& engine, QWidget* parent)
    : QMainWindow(parent),
      m_controller(engine, m_model, m_worker),
      m_lab(engine, m_worker),
      m_messages(new MessageBar(this)),
      m_line(new RunLine(m_model, m_controller, this)),
      m_charts(new ChartGrid(m_model, m_selection, m_theme, this)),
      m_models(engine, m_controller, *m_messages, *this),
      m_mapper(engine, m_worker, m_controller),
      m_exporter(engine, m_worker, m_controller),
      m_prompt(makePrompt(engine)),
      m_runs({m_model, m_selection, m_controller, m_models, *m_prompt,
              *m_charts->chart<LogitChart>(), m_exporter, *m_messages, m_theme, *this}),
      m_docks(*this),
      m_settings({m_docks, *m_charts, *m_prompt, m_models.panel(), m_theme, m_shelf}),
      m_commands(*this) {
  new WheelGuard(this);
  new ShortcutGuard(this);
  new TipKey(this);
  setWindowTitle(tr("Equipatch"));
  setAcceptDrops(true);
  setCentralWidget(makeCentre());
  addDocks(engine);
  addLessons();
  addCommands();
  auto* transport = new TransportBar(
      {command("run"), command("pause"), command("step"), command("stop")}, m_controller,
      m_model, m_theme, this);
  addToolBar(Qt::BottomToolBarArea, transport);
  m_presentation = new Presentation(
      *this, m_selection,
      QList<QWidget*>{menuBar(), transport,
                      findChild<QWidget*>(QStringLiteral("lessonOffer"))} +
          m_docks.hiddenInPresentation());
  m_settings.restoreTheme();
  applyTheme();
  connectAll();
  m_settings.restore();
  m_line->setExplained(m_charts->isExplained());
  m_commands.refresh();
  showEmptyText();
  // Widgets that every run needs come before those that are set once.
  chainTabs({m_prompt, transport, &m_models.panel(), findChild<RunOptions*>(),
             findChild<TokenStrip*>(), centralWidget(), findChild<StepPanel*>(),
             &m_runs.panel(), findChild<BlockPanel*>(), findChild<TextPanel*>()});
  m_prompt->setFocus();
  QTimer::singleShot(0, this, [this] {
    QTimer::singleShot(kUnpaintedMilliseconds, this, &MainWindow::open);
  });
}

MainWindow::~MainWindow() {
  m_worker.finish();
}

void MainWindow::setPrompt(const QString& text) {
  // The prompt of an earlier session may consist of token ids.
  if (m_prompt->form() == PromptForm::Ids) m_prompt->setForm(PromptForm::Text);
  m_prompt->setText(text);
}

void MainWindow::open() {
  if (std::exchange(m_opened, true)) return;
  m_models.refresh();
  Q_EMIT opened();
}

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  // Queued, because the frame reaches the screen only after this event.
  if (!m_opened) QMetaObject::invokeMethod(this, &MainWindow::open, Qt::QueuedConnection);
}

QWidget* MainWindow::makeCentre() {
  auto* centre = new QWidget(this);
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(5);
  layout->addWidget(m_messages);
  layout->addWidget(m_line);
  layout->addWidget(m_charts, 1);
  return centre;
}

void MainWindow::connectAll() {
  const auto refresh = [this] { m_commands.refresh(); };
  connect(&m_theme, &Theme::changed, this, &MainWindow::applyTheme);
  connect(&m_controller, &RunController::failed, this, &MainWindow::showError);
  connect(&m_controller, &RunController::held, this, &MainWindow::showError);
  connect(&m_controller, &RunController::phaseChanged, this, refresh);
  connect(&m_controller, &RunController::phaseChanged, this,
          &MainWindow::showTellingStep);
  connect(&m_controller, &RunController::phaseChanged, this, &MainWindow::showEmptyText);
  connect(&m_controller, &RunController::modelChanged, this, [this] {
    showTitle();
    showEmptyText();
  });
  connect(&m_models, &ModelDesk::listed, this, &MainWindow::showEmptyText);
  const auto saveInputs = [this] {  // but not the inputs of a lesson
    if (!m_lessons->player()) m_settings.saveInputs();
  };
  connect(&m_runs, &RunDesk::starting, this, saveInputs);
  connect(m_lessons, &LessonDesk::beginning, this, saveInputs);
  connect(&m_runs.list(), &RunList::changed, this, refresh);
  connect(&m_runs, &RunDesk::filesRemoved, this, refresh);
  connect(m_prompt, &PromptEditor::pictureSampleChosen, &m_models,
          &ModelDesk::loadBundledVisionModel);
  connect(m_prompt, &PromptEditor::textSampleChosen, &m_models,
          &ModelDesk::leaveBundledVision);
  const auto openPicture = [this](const PictureSubject& subject) {
    (new PictureDialog(subject, m_theme, m_shelf, m_mapper, this))->show();
  };
  connect(m_prompt, &PromptEditor::pictureActivated, this, openPicture);
  connect(findChild<TokenStrip*>(), &TokenStrip::pictureActivated, this, openPicture);
  connect(m_line, &RunLine::sampleChosen, m_prompt, &PromptEditor::takeSample);
  connect(&m_runs, &RunDesk::branchShown, findChild<TokenStrip*>(),
          &TokenStrip::setInheritedTokens);
  connect(&m_runs, &RunDesk::branchShown, m_line, &RunLine::setInheritedTokens);
  connect(&m_runs, &RunDesk::settingsOffered, m_line, &RunLine::offerSettings);
  connect(m_line, &RunLine::settingsRequested, &m_runs, &RunDesk::useShownSettings);
  connect(m_presentation, &Presentation::changed, this, refresh);
  // In a presentation, Escape ends the presentation and must not dismiss the message.
  connect(m_presentation, &Presentation::changed, m_messages,
          [this](bool on) { m_messages->setEscapable(!on); });
  connect(m_presentation, &Presentation::runRequested, this, &MainWindow::run);
  connect(m_presentation, &Presentation::entering, m_lessons,
          [this] { m_lessons->setPresented(true); });
  connect(m_presentation, &Presentation::entering, m_messages,
          &MessageBar::dismissNotice);
  connect(m_presentation, &Presentation::changed, m_lessons, &LessonDesk::setPresented);
  connect(m_lessons, &LessonDesk::changed, m_presentation, [this] { lessonsChanged(); });
  m_presentation->setLesson([this](int by) { return m_lessons->turnPage(by); });
  connect(m_prompt, &PromptEditor::edited, m_presentation, [this] { showNextRun(); });
  connect(&m_controller, &RunController::phaseChanged, m_presentation,
          [this] { showNextRun(); });
  connect(&m_model, &RunModel::runStarted, m_presentation, [this] {
    m_promptOfRun = m_prompt->unmarkedSource();
    showNextRun();
  });
  for (ChartView* chart : findChildren<ChartView*>()) {
    connect(chart, &ChartView::exportRequested, &m_runs,
            [this, chart] { m_runs.exportChart(*chart); });
    connect(chart, &ChartView::copyRequested, &m_runs,
            [this, chart] { m_runs.copyChart(*chart); });
  }
  // Last: the views must receive a new step before it is selected.
  connect(&m_model, &RunModel::runStarted, this, &MainWindow::runStarted);
  connect(&m_model, &RunModel::stepsAppended, &m_selection,
          [this] { m_selection.setStepCount(m_model.stepCount()); });
  connect(&m_model, &RunModel::runStarted, this, refresh);
  connect(&m_model, &RunModel::stepsAppended, this, refresh);
}

/// Skips docks behind another dock's tab, where nobody would see the focus.
bool MainWindow::focusNextPrevChild(bool next) {
  const QWidget* first = nullptr;
  while (QMainWindow::focusNextPrevChild(next)) {
    const QWidget* now = focusWidget();
    if (!now || now == first || !isBehindTab(*now)) return true;
    if (!first) first = now;
  }
  return false;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_lessons->record().close();
  m_lessons->end();
  m_presentation->setOn(false);  // the next start does not begin with a presentation
  m_settings.save();
  m_runs.close();
  m_lab.finish();
  event->accept();
}

void MainWindow::setThemeMode(Theme::Mode mode) {
  m_settings.setThemeMode(mode);
  m_commands.refresh();
}

void MainWindow::applyTheme() {
  QApplication::setPalette(m_theme.palette());
  setStyleSheet(m_theme.styleSheet());
}

void MainWindow::setExplained(bool explained) {
  m_charts->setExplained(explained);
  m_line->setExplained(explained);
  m_commands.refresh();
}

void MainWindow::addLessons() {
  m_lessons = new LessonDesk(
      {*this, m_models.panel(), *m_prompt, m_runs, m_model, m_selection, m_controller,
       *m_charts, m_lab, m_theme, m_shelf, m_mapper, m_models,
       [this](const QString& name) { return startLab(name); },
       [this] { return m_presentation->layout(); },
       [this](const QByteArray& layout) { m_presentation->restoreLayout(layout); }});
  connect(&m_docks, &DockLayout::opened, m_lessons, &LessonDesk::spare);
  m_lessons->setParent(this);
  connect(m_lessons, &LessonDesk::failed, this, &MainWindow::showError);
  auto* layout = static_cast<QVBoxLayout*>(centralWidget()->layout());
  layout->insertWidget(0, m_lessons->makeOffer(centralWidget()));
  layout->insertWidget(0, m_lessons->record().makeBar(centralWidget()));
  connect(m_lessons, &LessonDesk::changed, this, [this] { m_commands.refresh(); });
}

bool MainWindow::startLab(const QString& experiment) {
  const auto& all = m_lab.experiments();
  const auto found = std::ranges::find(all, experiment.toStdString(), &Experiment::name);
  if (found == all.end()) return false;
  LabWindow* lab = openLab();
  lab->list()->setCurrentRow(int(found - all.begin()));
  lab->form()->restoreDefaults();
  lab->showOrStart();
  return true;
}

LabWindow* MainWindow::openLab() {
  auto* lab = findChild<LabWindow*>();
  if (!lab) lab = new LabWindow(m_lab, m_controller, m_theme, this);
  if (const auto model = m_controller.loaded())
    lab->form()->setSuggestion(QStringLiteral("model"),
                               QString::fromStdString(model->folder));
  lab->form()->setSuggestion(QStringLiteral("prompt"), m_prompt->text());
  lab->show();
  lab->raise();
  lab->activateWindow();
  return lab;
}

void MainWindow::selectNextMismatch() {
  const int next = m_model.nextMismatch(m_selection.step());
  if (next >= 0) m_selection.selectStep(next);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if ((urls.size() == 1 && urls.first().isLocalFile()) || !runFiles(urls).isEmpty() ||
      !pictureFiles(*event->mimeData()).isEmpty())
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QFileInfo dropped(event->mimeData()->urls().value(0).toLocalFile());
  event->acceptProposedAction();
  if (const QStringList pictures = pictureFiles(*event->mimeData()); !pictures.isEmpty())
    return m_shelf.readFiles(pictures);
  if (const QStringList runs = runFiles(event->mimeData()->urls()); !runs.isEmpty())
    return openRuns(runs);  // also while other runs are being read
  if (m_controller.phase() == RunPhase::Loading)
    return showError(
        tr("A model is being loaded or a run is being read; wait for it, or stop it."));
  if (m_controller.phase() != RunPhase::Idle)
    return showError(tr("A run is in progress; stop it, then drop this again."));
  if (dropped.suffix() == QStringLiteral("md"))
    return m_lessons->open(dropped.filePath());
  if (dropped.isFile()) return openRuns({dropped.filePath()});
  setFolder(dropped.filePath());
  loadChosenModel();
}

/// When a new run has ended, selects the step at which the context matters most, unless
/// the user has selected a step. The last step, the end of the text, would tell little.
void MainWindow::showTellingStep() {
  if (m_controller.phase() != RunPhase::Idle) return;
  if (!std::exchange(m_isNewRun, false) || !m_selection.isFollowing()) return;
  if (const auto step = mostContextualStep(m_model.records()))
    m_selection.selectStep(int(*step));
}

/// The editor has the run's prompt only now: a lesson that ends restores the earlier run
/// first and the prompt afterwards.
void MainWindow::lessonsChanged() {
  const bool isPlayed = m_lessons->player();
  if (std::exchange(m_isLessonPlayed, isPlayed) && !isPlayed)
    m_promptOfRun = m_prompt->unmarkedSource();
  showNextRun();
}

/// Tells the presentation whether F5 runs the prompt instead of playing the steps.
void MainWindow::showNextRun() {
  const bool isChanged = m_prompt->unmarkedSource() != m_promptOfRun;
  m_presentation->setPaused(m_controller.phase() == RunPhase::Paused);
  m_presentation->setRunsNext(m_lessons->player() ||
                              (isChanged && command("run")->isEnabled()));
}

void MainWindow::runStarted() {
  const RunHeader* header = m_model.header();
  m_isNewRun = true;
  m_selection.reset();
  m_selection.setLayerCount(header ? int(header->layers) : 0);
  m_runTitle = !header                   ? std::string()
               : m_controller.isOpened() ? m_controller.file().filename().string()
                                         : header->modelName;
  showTitle();
}

void MainWindow::showTitle() {
  const auto model = m_controller.loaded();
  const std::string shown = m_runTitle.empty() && model ? model->name : m_runTitle;
  setWindowTitle(shown.empty() ? tr("Equipatch")
                               : tr("%1 – Equipatch").arg(QString::fromStdString(shown)));
}

/// Charts without data show what to do or wait for.
void MainWindow::showEmptyText() {
  const auto text = [this] {
    switch (m_controller.phase()) {
      case RunPhase::Loading:
        if (m_controller.isOpeningRun()) return tr("Reading the run…");
        return m_controller.loaded() ? tr("Preparing the prompt…")
                                     : tr("Loading the model…");
      case RunPhase::Running:
        return tr("Computing the first step…");
      case RunPhase::Paused:
        return tr("Paused before the first step.");
      case RunPhase::Idle:
      case RunPhase::Stopping:
        break;
    }
    return m_models.panel().folder().isEmpty()
               ? tr("Choose a model to begin.")
               : tr("Press Run (F5) to compare the passes.");
  };
  m_charts->setEmptyText(text());
}

}  // namespace equipatch
