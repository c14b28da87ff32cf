// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_controller.h"

#include <tuple>
#include <utility>
#include <variant>

namespace equipatch {
namespace {

constexpr int kDrainMilliseconds = 33;

/// @throws Error{BadInput} if the model has no tokenizer or the prompt is empty.
void requirePrompt(const LoadedModel& model, const PromptSource& prompt) {
  if (!model.tokenizer)
    throw badInput(model.tokenizerProblem.empty()
                       ? "The folder " + model.folder +
                             " holds no tokenizer, which the prompt needs; "
                             "add the one that belongs to this model."
                       : model.tokenizerProblem);
  if (prompt.text.empty()) throw emptyPrompt();
}

/// Whether the load in progress loads this model and no run waits for it yet.
bool joinsLoad(const RunController& controller, const SessionRequest& model) {
  return controller.canRunWhenLoaded() && controller.modelRequest() == model;
}

}  // namespace

Error emptyPrompt() {
  return badInput(
      "The prompt is empty, but a run needs at least one word; type a prompt.");
}

RunController::RunController(Engine& engine, RunModel& model, SharedWorker& worker,
                             QObject* parent)
    : QObject(parent),
      m_engine(engine),
      m_model(model),
      m_results(std::make_shared<RunInbox>()),
      m_worker(worker),
      m_bridge(worker.addUser()) {
  m_timer.setInterval(kDrainMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, [this] { drain(); });
  connectBridge();
}

void RunController::connectBridge() {
  connect(&m_bridge, &WorkerBridge::progressed, this, &RunController::progressed);
  connect(&m_bridge, &WorkerBridge::paused, this, [this] {
    drain();
    if (m_phase == Phase::Running) setPhase(Phase::Paused);
  });
  connect(&m_bridge, &WorkerBridge::resumed, this, [this] {
    if (m_phase == Phase::Paused) setPhase(Phase::Running);
  });
  connect(&m_bridge, &WorkerBridge::finished, this, &RunController::jobFinished);
  connect(&m_bridge, &WorkerBridge::cancelled, this, [this] {
    m_pending.reset();  // another user ended the job for which the run waits
    jobEnded();
    Q_EMIT runStopped();
  });
  connect(&m_bridge, &WorkerBridge::held, this, &RunController::held);
  connect(&m_bridge, &WorkerBridge::failed, this, &RunController::jobFailed);
}

void RunController::load(const SessionRequest& request, MemoryCheck check) {
  m_worker.stop(m_bridge);
  drain(MemoryCheck::Skip);
  m_pending.reset();
  m_isOpening = false;
  // Release the old model first: memory may not suffice for two.
  m_loaded.reset();
  m_loadedRequest = request;
  Q_EMIT modelChanged();
  launch(m_engine.makeLoadJob(request, check, m_results->makeModelSink()),
         Worker::Start::Running, Phase::Loading);
}

void RunController::loadAnyway(const SessionRequest& request) {
  auto waiting = std::exchange(m_pending, std::nullopt);
  load(request, MemoryCheck::Skip);
  if (!waiting) return;
  waiting->settings.model = request;
  m_pending = std::move(waiting);
  Q_EMIT phaseChanged();
}

void RunController::run(const RunSettings& settings) {
  if (m_phase == Phase::Paused) m_worker.resume(m_bridge);
  if (m_phase == Phase::Idle || canRunWhenLoaded())
    start(settings, Worker::Start::Running);
}

void RunController::step(const RunSettings& settings) {
  if (m_phase == Phase::Running || m_phase == Phase::Paused) m_worker.stepOnce(m_bridge);
  if (m_phase == Phase::Idle || canRunWhenLoaded())
    start(settings, Worker::Start::Paused);
}

void RunController::startOver(const RunSettings& settings) {
  m_pending.reset();  // before `joinsLoad`, which is false while a run waits
  const bool joins = joinsLoad(*this, settings.model);
  if (!joins) m_worker.stop(m_bridge);
  drain(joins ? MemoryCheck::Ask : MemoryCheck::Skip);
  start(settings, Worker::Start::Running);
}

void RunController::pause() {
  if (m_phase == Phase::Running) m_worker.pause(m_bridge);
}

void RunController::stop() {
  if (m_phase == Phase::Stopping) return;
  const bool waited = std::exchange(m_pending, std::nullopt).has_value();
  if (m_phase == Phase::Idle) {  // then a run waits only after `memoryShortage`
    if (waited) Q_EMIT runStopped();
    return;
  }
  m_worker.stop(m_bridge);
  m_stopsRun = m_phase != Phase::Loading;
  setPhase(Phase::Stopping);
}

void RunController::openRun(const std::filesystem::path& file) {
  m_worker.stop(m_bridge);
  drain(MemoryCheck::Skip);
  m_pending.reset();
  expectRun(file, true);
  m_isOpening = true;
  launch(m_engine.makeOpenRunJob(file, m_results->makeRunSink()), Worker::Start::Running,
         Phase::Loading);
}

DisplayedRun RunController::displayed() const {
  // Until a requested run begins, the previous run is on display.
  const auto [file, isOpened] = m_before.value_or(std::pair(m_file, m_isOpened));
  return {m_model.sharedHeader(), m_model.records(), file, m_ending, isOpened};
}

void RunController::show(const DisplayedRun& run) {
  abandon();
  m_before.reset();
  m_file = run.file;
  m_ending = run.ending;
  m_isOpened = run.isOpened;
  m_model.begin(run.header);
  m_model.append(run.steps);
}

void RunController::unload() {
  abandon();
  m_loaded.reset();
  m_loadedRequest.reset();
  Q_EMIT modelChanged();
}

/// Stops the current job and drops the waiting run and the job's remaining results.
void RunController::abandon() {
  stop();
  m_pending.reset();
  m_results->discard();
}

bool RunController::canRunWhenLoaded() const {
  return m_phase == Phase::Loading && !m_loaded && !m_isOpening && !m_pending;
}

bool RunController::isComputing() const {
  return m_computed && m_computed->header == m_model.sharedHeader();
}

std::filesystem::path RunController::recordedFile() const {
  return m_computed.value_or(ComputedRun{}).file;
}

void RunController::start(const RunSettings& settings, Worker::Start how) {
  m_pending.reset();
  PendingRun pending{settings, how};
  const bool joins = joinsLoad(*this, settings.model);
  m_isOpening = false;
  if (m_loaded && m_loadedRequest == settings.model) return proceed(pending);
  pending.settings.prepared.reset();  // perhaps prepared for another model
  if (!joins) load(settings.model);
  m_pending = pending;
  Q_EMIT phaseChanged();  // `canRunWhenLoaded` is false now
}

/// Requires a loaded model. Prepares the prompt if necessary, then starts the run. If the
/// preparation may take long, a job does it, and the run waits for that job.
void RunController::proceed(PendingRun pending) {
  RunSettings& settings = pending.settings;
  if (settings.unfinished || settings.prepared || !settings.run.prompt.empty())
    return beginRun(pending);
  if (settings.prompt.form == PromptForm::Ids) {
    settings.prepared = std::make_shared<const PreparedPrompt>(
        prepareIds(settings.prompt, knownTokensOf(*m_loaded)));
    return beginRun(pending);
  }
  requirePrompt(*m_loaded, settings.prompt);
  if (!isQuicklyPrepared(settings.prompt, m_loaded->chat.get())) {
    launch(
        m_engine.makePromptJob(*m_loaded, settings.prompt, m_results->makePromptSink()),
        Worker::Start::Running, Phase::Loading);
    m_pending = std::move(pending);
  } else {
    settings.prepared = std::make_shared<const PreparedPrompt>(preparePrompt(
        settings.prompt, *m_loaded->tokenizer, nullptr, {}, visionOf(*m_loaded)));
    beginRun(pending);
  }
}

void RunController::beginRun(const PendingRun& pending) {
  const RunSettings& settings = pending.settings;
  if (settings.unfinished) {
    expectRun(m_file, false);
    return launch(m_engine.makeContinueJob(*m_loaded, *settings.unfinished,
                                           m_results->makeRunSink()),
                  pending.how, Phase::Running);
  }
  const RunRequest request =
      settings.prepared ? requestFor(*settings.prepared, settings.run) : settings.run;
  // First, because this throws if the file exists, and then nothing may have changed.
  auto job =
      m_engine.makeRunJob(*m_loaded, request, settings.record, m_results->makeRunSink());
  expectRun(settings.record, false);
  launch(std::move(job), pending.how, Phase::Running);
  if (pending.how == Worker::Start::Paused) m_worker.stepOnce(m_bridge);
}

/// Sets the file of the next run. If that run does not begin, `jobEnded` restores the
/// displayed run's file.
void RunController::expectRun(const std::filesystem::path& file, bool isOpened) {
  if (!m_before) m_before.emplace(m_file, m_isOpened);
  m_file = file;
  m_isOpened = isOpened;
}

void RunController::launch(std::unique_ptr<Job> job, Worker::Start how, Phase phase) {
  m_worker.start(m_bridge, std::move(job), how);
  m_timer.start();
  setPhase(phase);
}

void RunController::setPhase(Phase phase) {
  if (phase == Phase::Idle) m_timer.stop();
  if (phase == m_phase) return;
  m_phase = phase;
  Q_EMIT phaseChanged();
}

/// @param shortage Skip if another job replaces the load: a memory shortage is then not
/// reported
void RunController::drain(MemoryCheck shortage) {
  using Shortage = std::shared_ptr<const MemoryShortage>;
  std::vector<RunModel::Record> records;
  for (RunInbox::Item& item : m_results->take())
    if (shortage == MemoryCheck::Ask || !std::holds_alternative<Shortage>(item))
      take(std::move(item), records);
  m_model.append(records);
}

void RunController::take(RunInbox::Item item, std::vector<RunModel::Record>& records) {
  if (auto* record = std::get_if<std::shared_ptr<const StepRecord>>(&item)) {
    records.push_back(std::move(*record));
  } else if (auto* header = std::get_if<std::shared_ptr<const RunHeader>>(&item)) {
    m_ending = m_phase == Phase::Loading ? RunEnding::Interrupted : RunEnding::Stopped;
    m_before.reset();
    if (!m_isOpened) beginComputed(*header);
    m_model.begin(std::move(*header));
  } else if (const auto* ending = std::get_if<RunEnding>(&item)) {
    m_ending = *ending;
  } else if (auto* file = std::get_if<std::filesystem::path>(&item)) {
    m_file = std::move(*file);
  } else if (const auto* warning = std::get_if<std::string>(&item)) {
    Q_EMIT warned(QString::fromStdString(*warning));
  } else if (auto* prompt = std::get_if<std::shared_ptr<const PreparedPrompt>>(&item)) {
    if (m_pending) m_pending->settings.prepared = std::move(*prompt);
  } else if (auto* shortage = std::get_if<std::shared_ptr<const MemoryShortage>>(&item)) {
    if (m_phase != Phase::Stopping) Q_EMIT memoryShortage(**shortage, *m_loadedRequest);
  } else {
    m_loaded = std::get<std::shared_ptr<const LoadedModel>>(std::move(item));
    Q_EMIT modelChanged();
  }
}

/// Also ends the previous run, because the bridge does not report the end of a job if
/// another job was started before that end.
void RunController::beginComputed(std::shared_ptr<const RunHeader> header) {
  endComputed();
  m_computed = {.file = m_file, .header = std::move(header)};
  Q_EMIT runBegan(*m_computed);
}

void RunController::endComputed() {
  if (const auto run = std::exchange(m_computed, std::nullopt)) Q_EMIT runEnded(*run);
}

void RunController::jobEnded() {
  drain();
  endComputed();
  m_isOpening = false;
  if (m_before) std::tie(m_file, m_isOpened) = *std::exchange(m_before, std::nullopt);
  setPhase(Phase::Idle);
  if (!m_loaded) return;  // after `memoryShortage`, the run waits for `loadAnyway`
  auto pending = std::exchange(m_pending, std::nullopt);
  if (!pending) return;
  try {
    proceed(std::move(*pending));
  } catch (const Error& error) {
    Q_EMIT failed(QString::fromUtf8(error.what()));
  }
}

void RunController::jobFinished() {
  const bool isRun = m_phase == Phase::Running || m_phase == Phase::Paused;
  const bool stopped = m_phase == Phase::Stopping;  // the stop came too late
  drain();
  if (isRun || (stopped && m_stopsRun)) {
    // After a stop, another run may be on display.
    if (isRun || isComputing()) m_ending = RunEnding::Complete;
    if (m_computed) m_computed->ending = RunEnding::Complete;
  }
  jobEnded();
  if (isRun) Q_EMIT runFinished();
  if (stopped) Q_EMIT runStopped();
}

void RunController::jobFailed(const QString& sentence) {
  const bool stopped = m_phase == Phase::Stopping;  // the stop came too late
  m_pending.reset();
  jobEnded();
  if (stopped) Q_EMIT runStopped();
  Q_EMIT failed(sentence);
}

}  // namespace equipatch
