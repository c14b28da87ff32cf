// SPDX-License-Identifier: GPL-3.0-or-later
// How runs start: with the panels' settings, or from a recorded run.
#include "ui/window/run_desk.h"

#include <QFileInfo>
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/record/branch.h"
#include "core/record/run_request.h"
#include "core/run/prepared_prompt.h"
#include "ui/chart/number_text.h"
#include "ui/run/loaded_model.h"

namespace equipatch {
namespace {

/// The loaded model if it comes from this folder. Otherwise null, because a run on this
/// folder's model needs another tokenizer.
std::shared_ptr<const LoadedModel> loadedFrom(const std::filesystem::path& folder,
                                              const RunController& controller) {
  const auto loaded = controller.loaded();
  return loaded && controller.modelRequest()->folder == folder ? loaded : nullptr;
}

}  // namespace

void RunDesk::announceStart() {
  m_startedFromPanels = true;
  Q_EMIT starting();
}

/// Applies the text in the field "Absorbed". @returns false, after a message, if it is
/// invalid.
bool RunDesk::applyAbsorbedField() {
  m_sources.prompt.prepareNow();
  const QString problem = m_sources.prompt.takeAbsorbed();
  if (!problem.isEmpty()) m_sources.messages.showMessage(problem);
  return problem.isEmpty();
}

/// @returns false, after a message, if there is no prompt
bool RunDesk::requirePrompt() {
  const PromptSource source = m_sources.prompt.source();
  m_promptCall.clear();
  if (!source.text.empty() || !source.ids.empty()) return true;
  const bool areIds = m_sources.prompt.form() == PromptForm::Ids;
  m_promptCall =
      areIds ? tr("There are no token ids, but a run needs at least one; type ids "
                  "such as 2 17 42.")
             : QString::fromUtf8(emptyPrompt().what());
  m_sources.messages.showMessage(m_promptCall);
  return false;
}

void RunDesk::promptEdited() {
  const PromptSource source = m_sources.prompt.source();
  if (source.text.empty() && source.ids.empty()) return;
  const QString call = std::exchange(m_promptCall, {});
  if (!call.isEmpty() && m_sources.messages.text() == call) m_sources.messages.dismiss();
}

void RunDesk::run() {
  // A paused run keeps its settings and prompt, even if the panels have changed.
  if (m_sources.controller.phase() == RunController::Phase::Paused) {
    m_sources.messages.dismiss();
    return m_sources.controller.run({});
  }
  m_sources.models.whenChosen([this] {
    if (!requirePrompt() || !applyAbsorbedField()) return;
    announceStart();
    m_sources.controller.run(prepareRun());
  });
}

void RunDesk::step() {
  const RunController::Phase phase = m_sources.controller.phase();
  if (phase == RunController::Phase::Running || phase == RunController::Phase::Paused) {
    m_sources.messages.dismiss();
    return m_sources.controller.step({});
  }
  m_sources.models.whenChosen([this] {
    if (!requirePrompt() || !applyAbsorbedField()) return;
    announceStart();
    m_sources.controller.step(prepareRun());
  });
}

void RunDesk::stop() {
  m_queue.clear();
  m_sources.controller.stop();
}

void RunDesk::runGrid(GridRuns which) {
  m_sources.models.whenChosen([this, which] {
    if (m_sources.controller.phase() != RunController::Phase::Idle || !requirePrompt() ||
        !applyAbsorbedField())
      return;
    std::vector<RunSettings> runs = precisionGrid(settingsWithoutFile());
    if (which == GridRuns::Missing && !leavesMissing(runs)) return;
    announceStart();
    Q_EMIT gridStarting();
    m_queue.start(std::move(runs));
  });
}

void RunDesk::runEachSentence() {
  m_sources.models.whenChosen([this] {
    if (m_sources.controller.phase() != RunController::Phase::Idle || !requirePrompt())
      return;
    try {
      std::vector<RunSettings> runs = sentenceRuns();
      tickOnly(runs);
      if (!leavesMissing(runs)) return;
      announceStart();
      m_panel->rankByEffect();
      m_queue.start(std::move(runs));
    } catch (const Error& error) {
      m_sources.messages.showMessage(messageText(error.what()));
    }
  });
}

/// Each run has an ablated pass, whose distance measures the sentence's effect.
/// @throws Error as eachSentence
std::vector<RunSettings> RunDesk::sentenceRuns() {
  const RunSettings base = settingsWithoutFile();
  const auto loaded = loadedFrom(base.model.folder, m_sources.controller);
  std::vector<RunSettings> runs;
  for (PromptSource& source : eachSentence(base.prompt)) {
    RunSettings& run = runs.emplace_back(base);
    run.run.bare = run.run.ablated = true;
    // The editor's prepared prompt has another absorbed part. Replacing this part does
    // not render a Chat again; therefore the first check passes no template.
    run.prepared.reset();
    if (base.prepared && isQuicklyPrepared(source, nullptr))
      run.prepared = std::make_shared<const PreparedPrompt>(
          withAbsorbedPartOf(*base.prepared, source));
    else if (loaded && loaded->tokenizer && isQuicklyPrepared(source, loaded->chat.get()))
      run.prepared = std::make_shared<const PreparedPrompt>(preparePrompt(
          source, *loaded->tokenizer, loaded->chat.get(), {}, visionOf(*loaded)));
    run.prompt = std::move(source);
  }
  return runs;
}

/// Removes the runs that the list has. @returns false, after a message, if none is left
bool RunDesk::leavesMissing(std::vector<RunSettings>& runs) const {
  std::erase_if(runs, [this](const RunSettings& run) { return rowOf(run).has_value(); });
  if (runs.empty())
    m_sources.messages.showMessage(
        tr("The list has all of these runs; change the prompt or a setting, or close a "
           "run to run it again."));
  return !runs.empty();
}

void RunDesk::tickOnly(const std::vector<RunSettings>& runs) {
  std::set<int> rows;
  for (const RunSettings& run : runs)
    if (const auto row = rowOf(run)) rows.insert(*row);
  for (int row = 0; row < m_list.count(); ++row) m_list.setShown(row, rows.contains(row));
}

/// The row of the complete run that these settings would repeat. Finds no run if the
/// prompt is not prepared yet, as for a long text.
std::optional<int> RunDesk::rowOf(const RunSettings& run) const {
  // The panels may hold a model's name, whose folder is known only after a load.
  const auto loaded = loadedFrom(run.model.folder, m_sources.controller);
  if (!loaded) return std::nullopt;
  LoadedModel model = *loaded;  // as this run would load it
  model.dtype = run.model.dtype.value_or(loaded->spec.storedDType);
  model.device = run.model.device;
  model.computesFloat32 = run.model.computeFloat32;
  const RunRequest request = run.prepared ? requestFor(*run.prepared, run.run) : run.run;
  for (int row = 0; row < m_list.count(); ++row) {
    const ListedRun& listed = m_list.at(row);
    if (listed.ending == RunEnding::Complete && listed.header->request == request &&
        computesRun(model, *listed.header))
      return row;
  }
  return std::nullopt;
}

void RunDesk::runAgain() {
  if (m_sources.model.header()) runOnShownModel(m_sources.model.header()->request);
}

void RunDesk::continueOpened() {
  const RunController& controller = m_sources.controller;
  // This call was queued when a job ended. Since then, continueFile may have begun to
  // open the run; m_toContinue then remains for the next call.
  if (controller.phase() != RunController::Phase::Idle) return;
  const std::filesystem::path file = std::exchange(m_toContinue, {});
  if (!file.empty() && controller.isOpened() && controller.file() == file) continueRun();
}

QString RunDesk::obstacleToContinuing() const {
  const RunController& controller = m_sources.controller;
  if (controller.phase() != RunController::Phase::Idle)
    return tr("A run or a load is in progress; stop it, then continue the run.");
  if (!m_sources.model.header()) return tr("No run is on display; open one first.");
  if (controller.file().empty())
    return tr(
        "The run on display was not recorded, so it cannot be continued; run it "
        "again.");
  if (controller.ending() == RunEnding::Complete)
    return tr("The run on display has all its steps, so there is nothing to continue.");
  if (isAbsent(controller.file()))
    return tr(
        "The file of the run on display is gone, so the run cannot be continued; restore "
        "the file from the trash, or run it again.");
  return {};
}

void RunDesk::continueRun() {
  if (const QString obstacle = obstacleToContinuing(); !obstacle.isEmpty())
    return m_sources.messages.showMessage(obstacle);
  RunController& controller = m_sources.controller;
  const RunHeader& header = *m_sources.model.header();
  if (!m_sources.models.findsModelOf(header)) return;
  RunSettings settings;
  settings.model = modelOfShown();
  settings.unfinished = {
      .file = controller.file(),
      .target = UnfinishedRun::Target::Possible,
      .other = m_files.newFile(QString::fromStdString(header.modelName))};
  // If the job has to record into `other`, it copies the labels to that file. The list
  // must show the same name.
  const std::filesystem::path& other = settings.unfinished->other;
  if (const int row = m_list.current(); row >= 0 && !other.empty())
    m_list.setNameOf(other, m_list.at(row).ownName);
  m_files.expectContinuation(controller.file(), other);
  m_sources.messages.dismiss();
  m_queue.clear();
  m_startedFromPanels = false;
  controller.startOver(settings);
}

void RunDesk::continueFile(const QString& file) {
  if (m_sources.controller.phase() != RunController::Phase::Idle)
    return m_sources.messages.showMessage(obstacleToContinuing());
  m_toContinue = file.toStdString();
  m_files.openToContinue(file);
}

void RunDesk::branchWith(const Choice& choice) {
  const RunModel& model = m_sources.model;
  std::vector<RunModel::Record> before;
  for (int i = 0; i < m_sources.selection.step(); ++i) before.push_back(model.record(i));
  const std::filesystem::path file = m_sources.controller.displayed().file;
  RunRequest request =
      branchedRequest(model.header()->request, before, choice, file.filename().string());
  request.steps = m_sources.models.panel().runRequest().steps;
  // Once the branch is on display, charts draw its parent only if the parent is ticked.
  if (const int parent = m_list.current(); parent >= 0 && !m_list.at(parent).shown)
    m_list.setShown(parent, true);
  runOnShownModel(request);
}

RunSettings RunDesk::settingsWithoutFile() {
  const ModelPanel& panel = m_sources.models.panel();
  PromptEditor& prompt = m_sources.prompt;
  RunSettings settings{panel.modelRequest(), panel.runRequest()};
  settings.run.keepFactors |= m_keepsFactors;
  prompt.prepareNow();
  settings.prompt = prompt.source();
  if (loadedFrom(settings.model.folder, m_sources.controller))
    settings.prepared = prompt.prepared();
  return settings;
}

RunSettings RunDesk::prepareRun() {
  RunSettings settings = settingsWithoutFile();
  const RunController& controller = m_sources.controller;
  if (controller.phase() == RunController::Phase::Idle || controller.canRunWhenLoaded()) {
    m_queue.clear();
    settings.record =
        m_files.newFile(QFileInfo(m_sources.models.panel().folder()).fileName());
  }
  return settings;
}

SessionRequest RunDesk::modelOfShown() const {
  const RunHeader& header = *m_sources.model.header();
  const RunController& controller = m_sources.controller;
  const auto loaded = controller.loaded();
  return loaded && computesRun(*loaded, header) ? *controller.modelRequest()
                                                : modelRequestOf(header, loaded.get());
}

void RunDesk::runOnShownModel(const RunRequest& request) {
  const RunHeader& header = *m_sources.model.header();
  if (!m_sources.models.findsModelOf(header)) return;
  RunController& controller = m_sources.controller;
  RunSettings settings;
  settings.model = modelOfShown();
  settings.run = request;
  m_sources.messages.dismiss();
  settings.record = m_files.newFile(QString::fromStdString(header.modelName));
  m_queue.clear();
  m_startedFromPanels = false;
  controller.startOver(settings);
}

}  // namespace equipatch
