// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_desk.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/figure/run_names.h"
#include "core/figure/run_places.h"
#include "ui/chart/number_text.h"
#include "ui/run/loaded_model.h"

namespace equipatch {
namespace {

/// Names the run's settings that only the command line sets and that change what the
/// passes compute, or in which order.
QString settingsWithoutField(const RunHeader& header) {
  const RunRequest& request = header.request;
  QStringList settings;
  if (request.strength.alpha != 1.0) settings << RunDesk::tr("strength of the patch");
  if (!request.strength.layers.empty()) settings << RunDesk::tr("choice of layers");
  if (request.roundLogits) settings << RunDesk::tr("rounding of the logits");
  if (request.execution == Execution::Separate)
    settings << RunDesk::tr("separate passes");
  if (header.computesFloat32) settings << RunDesk::tr("computation in float32");
  return settings.join(RunDesk::tr(" and "));
}

}  // namespace

RunDesk::RunDesk(const Sources& sources)
    : m_sources(sources),
      m_files(sources.controller, sources.window),
      m_pages(sources.window, tr("Export page")),
      m_opener(sources.controller, [this](const QString& file) { m_files.open(file); }),
      m_list(sources.model, sources.theme,
             [this] { return m_sources.controller.file(); }),
      m_queue(sources.controller,
              [this](const RunSettings& run) {
                return m_files.newFile(
                    QString::fromStdString(run.model.folder.filename().string()));
              }),
      m_panel(new RunsPanel(m_list, sources.theme)),
      m_labeller(
          [this](const std::string& sentence) {
            const auto show = [this, sentence] {
              m_sources.messages.showMessage(messageText(sentence));
            };
            QMetaObject::invokeMethod(this, show, Qt::QueuedConnection);
          },
          [this](const std::string&) {
            const auto refresh = [this] {
              if (m_earlier) m_earlier->refreshShown();
            };
            QMetaObject::invokeMethod(this, refresh, Qt::QueuedConnection);
          }) {
  connectAll();
  showRuns();
}

void RunDesk::connectAll() {
  MessageBar* messages = &m_sources.messages;
  const auto forgetContinuing = [this] { m_toContinue.clear(); };
  connect(&m_sources.controller, &RunController::failed, this, [this, forgetContinuing] {
    // A run without steps, or with damaged steps, fails to open, but may be continued.
    const RunController& controller = m_sources.controller;
    const bool isShown = controller.isOpened() && controller.file() == m_toContinue;
    if (!isShown || !obstacleToContinuing().isEmpty()) forgetContinuing();
  });
  connect(&m_sources.controller, &RunController::runStopped, this, forgetContinuing);
  connect(&m_sources.controller, &RunController::warned, messages,
          &MessageBar::showMessage);
  connect(&m_sources.controller, &RunController::phaseChanged, this,
          &RunDesk::phaseChanged);
  connect(&m_sources.controller, &RunController::runBegan, this,
          [this](const RunController::ComputedRun& run) { m_labeller.begin(run.file); });
  connect(&m_sources.controller, &RunController::runEnded, this,
          [this](const RunController::ComputedRun& run) {
            m_list.setEnding(run.header.get(), run.ending);
            m_labeller.label(run.file);
          });
  connect(&m_sources.model, &RunModel::runStarted, this, [this] {
    if (!m_sources.controller.isComputing())
      m_list.setEnding(m_sources.model.header(), m_sources.controller.ending());
    const bool isOpened = m_sources.controller.isOpened();
    Q_EMIT settingsOffered(m_sources.model.header() &&
                           (isOpened || !m_startedFromPanels));
    if (m_earlier && !isOpened) m_earlier->refreshShown();
  });
  connect(&m_files, &RunFiles::openRequested, this,
          [this](const QString& path) { open({path}); });
  connect(&m_files, &RunFiles::continueRequested, this, &RunDesk::continueFile);
  connect(&m_sources.models, &ModelDesk::loading, &m_queue, &RunQueue::clear);
  connect(&m_queue, &RunQueue::noticed, messages, &MessageBar::showNotice);
  connect(&m_files, &RunFiles::saved, messages, [messages](const QString& path) {
    messages->showSaved(tr("Saved %1").arg(QDir::toNativeSeparators(path)), path);
  });
  connect(&m_files, &RunFiles::removed, this, [this] {
    Q_EMIT filesRemoved();
    if (m_earlier) m_earlier->refreshShown();
  });
  connect(&m_files, &RunFiles::failed, messages, &MessageBar::showMessage);
  connect(&m_pages, &FileSaver::failed, messages, &MessageBar::showMessage);
  connect(&m_list, &RunList::renamed, this, [this](int row) {
    const ListedRun& run = m_list.at(row);
    m_labeller.rename(run.file, run.ownName.toStdString(), !run.ending);
  });
  connect(&m_list, &RunList::changed, this, &RunDesk::showRuns);
  connect(&m_list, &RunList::changed, this, &RunDesk::nameDisplay);
  connect(&m_sources.theme, &Theme::changed, this, &RunDesk::nameDisplay);
  connect(m_panel, &RunsPanel::displayRequested, this, &RunDesk::display);
  connect(m_panel, &RunsPanel::displayedClosed, this, &RunDesk::displayNearest);
  connect(m_panel, &RunsPanel::continueRequested, this, [this](int row) {
    if (row == m_list.current()) return continueRun();
    continueFile(QString::fromStdString(m_list.at(row).file.string()));
  });
  connect(m_panel, &RunsPanel::gridRequested, this, [this] { runGrid(); });
  connect(m_panel, &RunsPanel::sentencesRequested, this, &RunDesk::runEachSentence);
  connect(m_panel, &RunsPanel::settingsRequested, this, &RunDesk::useShownSettings);
  connect(&m_sources.prompt, &PromptEditor::edited, this, &RunDesk::promptEdited);
  connect(m_panel, &RunsPanel::failed, messages, &MessageBar::showMessage);
}

void RunDesk::phaseChanged() {
  if (m_sources.controller.phase() == RunController::Phase::Running) m_toDisplay.clear();
  if (m_sources.controller.phase() != RunController::Phase::Idle) return;
  if (m_sources.controller.isOpened())  // its ending was unknown at runStarted
    m_list.setEnding(m_sources.model.header(), m_sources.controller.ending());
  if (m_earlier) m_earlier->refreshShown();
  // Queued, because the controller emits `failed` after phaseChanged, and the handler of
  // `failed` may clear m_toContinue.
  QMetaObject::invokeMethod(this, &RunDesk::continueOpened, Qt::QueuedConnection);
  QMetaObject::invokeMethod(this, &RunDesk::displayWaiting, Qt::QueuedConnection);
}

/// Displays the run that the user asked for while another run or a model was loading.
void RunDesk::displayWaiting() {
  if (m_sources.controller.phase() != RunController::Phase::Idle) return;
  const std::filesystem::path file = std::exchange(m_toDisplay, {});
  for (int row = 0; !file.empty() && row < m_list.count(); ++row)
    if (m_list.at(row).file == file) return display(row);
}

void RunDesk::close() {
  m_files.close();
  stop();
}

/// Gives the logit chart the ticked runs, and the name and colour of the run on display.
void RunDesk::showRuns() {
  if (!m_sources.model.header()) return m_sources.chart.setOthers({}, {});
  const int current = m_list.current();
  std::vector<int> rows = m_list.shownRows();
  std::vector<FigureRun> runs = withDisplayed(rows);
  FigureRun own = runs.front();
  own.name = (current < 0 ? displayName() : m_list.at(current).name).toStdString();
  std::erase(rows, current);
  runs.erase(runs.begin());
  for (std::size_t i = 0; i < rows.size(); ++i)
    runs[i].name = m_list.at(rows[i]).name.toStdString();
  m_sources.chart.setOthers(std::move(runs), own);
  Q_EMIT branchShown(current < 0 ? 0 : int(m_list.earlierTokens(current)));
}

QString RunDesk::displayName() const {
  const int current = m_list.current();
  if (current >= 0) return m_list.at(current).name;
  return QString::fromStdString(precisionName(*m_sources.model.header()));
}

void RunDesk::nameDisplay() {
  const RunHeader* header = m_sources.model.header();
  if (!header) return Q_EMIT displayNamed({}, {});
  const QString model = QString::fromStdString(header->modelName);
  const bool listed = m_list.current() >= 0;
  const QString name = displayName();
  Q_EMIT displayNamed(
      name.contains(model) ? name : model + QStringLiteral(" · ") + name,
      listed ? swatchOf(m_list.at(m_list.current()).style(), m_sources.theme.colours())
             : QIcon());
}

void RunDesk::display(int row) {
  const ListedRun& run = m_list.at(row);
  if (m_sources.controller.phase() == RunController::Phase::Loading &&
      !run.file.empty()) {
    m_toDisplay = run.file;
    return;
  }
  if (row == m_list.current()) return;
  if (m_sources.controller.phase() != RunController::Phase::Idle)
    return m_sources.messages.showMessage(
        tr("A run or a load is in progress; stop it, then show the run."));
  if (run.file.empty())
    return m_sources.messages.showMessage(
        tr("The run %1 was not recorded, so only its curves are left and it cannot be "
           "shown.")
            .arg(run.name));
  m_files.open(QString::fromStdString(run.file.string()));
}

/// Displays the recorded run nearest to this row of the list, at equal distance the later
/// one. Clears the display if no run of the list is recorded.
void RunDesk::displayNearest(int row) {
  if (m_sources.controller.phase() != RunController::Phase::Idle) return;
  int nearest = -1;
  for (int i = 0; i < m_list.count(); ++i)
    if (!m_list.at(i).file.empty() &&
        (nearest < 0 || std::abs(i - row) <= std::abs(nearest - row)))
      nearest = i;
  if (nearest >= 0) return display(nearest);
  m_sources.controller.show({});
}

void RunDesk::reopen() {
  m_list.reopen();
  if (!m_sources.model.header()) displayNearest(m_list.count());
}

void RunDesk::useShownSettings() {
  const RunHeader* header = m_sources.model.header();
  if (!header) return;
  m_sources.models.panel().showRequest(
      modelRequestOf(*header, m_sources.controller.loaded().get()));
  m_sources.models.panel().showRun(header->request);
  m_sources.prompt.showRun(header->request);
  Q_EMIT settingsOffered(false);
  if (const QString missing = settingsWithoutField(*header); !missing.isEmpty())
    m_sources.messages.showNotice(tr("A new run is computed without this run's %1, which "
                                     "only the command line sets.")
                                      .arg(missing));
}

std::vector<FigureRun> RunDesk::listedRuns() const {
  const std::vector<int> numbers = m_list.numbers();
  std::vector<FigureRun> runs;
  for (int row = 0; row < m_list.count(); ++row) {
    runs.push_back(figureRunOf(m_list.at(row)));
    runs.back().number = numbers[std::size_t(row)];
  }
  return runs;
}

std::vector<FigureRun> RunDesk::withDisplayed(const std::vector<int>& rows) const {
  const RunModel& model = m_sources.model;
  const std::vector<FigureRun> listed = listedRuns();
  const int current = m_list.current();
  std::vector<FigureRun> runs{current >= 0
                                  ? listed[std::size_t(current)]
                                  : FigureRun{{}, model.sharedHeader(), model.records()}};
  for (const int row : rows)
    if (row != current) runs.push_back(listed[std::size_t(row)]);
  alignBranches(runs, listed);
  return runs;
}

std::vector<FigureRun> RunDesk::figureRuns() const {
  const std::vector<int> ticked = m_list.shownRows();
  if (ticked.empty() || std::ranges::count(ticked, m_list.current()) > 0)
    return withDisplayed(ticked);
  const std::vector<FigureRun> listed = listedRuns();
  std::vector<FigureRun> runs;
  for (const int row : ticked) runs.push_back(listed[std::size_t(row)]);
  alignBranches(runs, listed);
  return runs;
}

void RunDesk::open(const QStringList& files) {
  for (const QString& given : files) {
    const QString file = QFileInfo(given).absoluteFilePath();  // the list's are absolute
    if (!m_opener.add(file))
      return m_sources.messages.showMessage(
          tr("A run or a load is in progress; stop it, then open the run."));
    // The list may have a newer name than the file.
    if (m_list.knowsNameOf(file.toStdString())) continue;
    m_labeller.readName(file.toStdString(), [this, file](const std::string& name) {
      const auto show = [this, file, name] {
        m_list.setNameOf(file.toStdString(), QString::fromStdString(name));
      };
      QMetaObject::invokeMethod(this, show, Qt::QueuedConnection);
    });
  }
}

}  // namespace equipatch
