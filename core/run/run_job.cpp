// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_job.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_labels.h"
#include "core/run/backend.h"
#include "core/run/earlier_steps.h"
#include "core/run/model_list.h"
#include "core/run/rerun.h"
#include "core/run/run_origin.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

class LoadJob final : public Job {
 public:
  LoadJob(SessionRequest request, std::shared_ptr<SessionSink> sink)
      : m_request(std::move(request)), m_sink(std::move(sink)) {}

  std::string name() const override { return "Load " + nameOf(m_request.folder); }

  void run(Control& control) override {
    m_sink->sessionOpened(Session::open(m_request, control));
  }

 private:
  SessionRequest m_request;
  std::shared_ptr<SessionSink> m_sink;
};

/// Computes the remaining steps of a run that has `taken` of its `total` steps. A stop
/// request after the last step has no effect, because the run is complete.
void takeSteps(Comparison& comparison, std::int64_t taken, std::int64_t total,
               Control& control, RunSink& sink) {
  const auto all = static_cast<double>(total);
  auto done = static_cast<double>(taken);
  while (!comparison.done() && control.pass()) {
    PartialProgress step(control, done / all, (done + 1.0) / all);
    sink.stepTaken(comparison.step(step));
    control.report(++done / all, "Generating");
  }
  if (!comparison.done()) control.throwIfStopped();
  control.setComplete();
}

class RunJob final : public Job {
 public:
  RunJob(std::shared_ptr<const Session> session, RunRequest request,
         std::shared_ptr<RunSink> sink)
      : m_session(std::move(session)),
        m_request(std::move(request)),
        m_sink(std::move(sink)) {}

  std::string name() const override { return "Run " + m_session->modelName(); }

  void run(Control& control) override {
    const std::int64_t total = m_request.steps;
    const auto comparison = backend().makeComparison(m_session, std::move(m_request));
    m_sink->runStarted(std::make_shared<const RunHeader>(comparison->header()));
    comparison->prefill(control);
    takeSteps(*comparison, 0, total, control, *m_sink);
  }

 private:
  std::shared_ptr<const Session> m_session;
  RunRequest m_request;
  std::shared_ptr<RunSink> m_sink;
};

/// Pauses the run when a step or the run's ending cannot be written, so that nothing is
/// lost on a full disk. A run that nobody can resume fails instead.
class WaitingSink final : public RunSink {
 public:
  WaitingSink(RunRecorder& recorder, Control& control)
      : m_recorder(recorder), m_control(control) {}

  void runStarted(std::shared_ptr<const RunHeader> header) override {
    m_recorder.runStarted(std::move(header));
  }
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    insist([&] { m_recorder.stepTaken(record); });
  }
  void complete() {
    insist([this] { m_recorder.finish(RunEnding::Complete); });
  }

 private:
  template <typename Write>
  void insist(Write write) {
    for (;;) try {
        return write();
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::Resource) throw;
        m_control.hold(error);
      }
  }

  RunRecorder& m_recorder;
  Control& m_control;
};

class RecordedRunJob final : public Job {
 public:
  RecordedRunJob(std::shared_ptr<const Session> session, RunRequest request,
                 std::shared_ptr<RunRecorder> recorder)
      : m_session(std::move(session)),
        m_request(std::move(request)),
        m_recorder(std::move(recorder)) {}

  std::string name() const override { return "Run " + m_session->modelName(); }

  void run(Control& control) override {
    const auto sink = std::make_shared<WaitingSink>(*m_recorder, control);
    try {
      makeRunJob(m_session, std::move(m_request), sink)->run(control);
    } catch (...) {
      m_recorder->finish(RunEnding::Stopped);
      throw;
    }
    sink->complete();
  }

 private:
  std::shared_ptr<const Session> m_session;
  RunRequest m_request;
  std::shared_ptr<RunRecorder> m_recorder;
};

class ContinuedRunJob final : public Job {
 public:
  ContinuedRunJob(std::shared_ptr<const Session> session, UnfinishedRun run,
                  std::shared_ptr<ContinuedRunSink> sink)
      : m_session(std::move(session)), m_run(std::move(run)), m_sink(std::move(sink)) {}

  std::string name() const override { return "Continue " + m_run.file.string(); }

  void run(Control& control) override {
    auto earlier = std::make_optional<EarlierSteps>(m_run, control);
    RunHeader header = earlier->header();
    requireSameDType(header);
    requireSameWeights(header);
    const ThreadsFor threads(threadsFor(header.provenance));
    // Made before the prefill, which may take minutes: reports an unwritable file early.
    RunRecorder recorder = makeRecorder(earlier->damage());
    const bool isCopy = m_run.target == UnfinishedRun::Target::OtherFile;
    if (isCopy) earlier->dropStepsWithoutFactors(control);
    const std::int64_t total = header.request.steps;
    const std::int64_t taken = std::ssize(earlier->steps());
    const auto comparison = backend().makeComparison(m_session, header.request);
    header.continuations.push_back(resume(*comparison, *earlier, control));

    WaitingSink sink(recorder, control);
    m_sink->recordedIn(isCopy ? m_run.other : m_run.file);
    try {
      sink.runStarted(std::make_shared<const RunHeader>(std::move(header)));
      earlier->sendTo(sink, isCopy ? FactorDetail::Include : FactorDetail::Omit, control);
      earlier.reset();
      takeSteps(*comparison, taken, total, control, sink);
    } catch (...) {
      recorder.finish(RunEnding::Stopped);
      throw;
    }
    sink.complete();
  }

 private:
  void requireSameDType(const RunHeader& header) const {
    if (m_session->dtype() == header.dtype) return;
    throw badInput(m_run.file.string() + ": the run cannot continue in " +
                   std::string(torchName(m_session->dtype())) + "; load its model in " +
                   std::string(torchName(header.dtype)));
  }

  int threadsFor(const Provenance& recorded) const {
    const std::int64_t now = backend().threads();
    if (m_run.threads == UnfinishedRun::Threads::Present) return static_cast<int>(now);
    return static_cast<int>(std::clamp<std::int64_t>(recorded.threads, 1, now));
  }

  void requireSameWeights(const RunHeader& header) const {
    const std::vector<std::string> others =
        differentWeights(header.provenance, provenanceOf(*m_session));
    if (!others.empty())
      throw badInput(m_run.file.string() +
                     ": the run cannot continue with other weights; " + others.front() +
                     "; load the weights that the run had on " +
                     header.provenance.startTime);
  }

  /// Advances the comparison past the recorded steps. Computes the last recorded step
  /// again and compares the result with the record.
  Continuation resume(Comparison& comparison, const EarlierSteps& earlier,
                      Control& control) {
    const std::size_t taken = earlier.steps().size();
    Provenance now = provenanceOf(*m_session);
    Continuation continuation{.firstStep = std::int64_t(taken),
                              .program = std::move(now.program),
                              .torch = std::move(now.torch),
                              .processor = std::move(now.processor),
                              .threads = now.threads,
                              .startTime = std::move(now.startTime)};
    comparison.prefill(control);
    if (taken == 0) return continuation;
    const auto total = static_cast<double>(earlier.header().request.steps);
    PartialProgress part(control, 0.0, static_cast<double>(taken) / total);
    comparison.resume(earlier.tokens(taken - 1), part);
    const StepRecord& last = *earlier.steps().back();
    const auto again = comparison.step(part);
    if (sameResults(last, *again)) return continuation;
    const std::string what =
        "step " + std::to_string(taken - 1) +
        ", computed again, is not the recorded one: " + differenceInWords(last, *again);
    if (again->continued != last.continued)
      throw badInput(m_run.file.string() + ": the run cannot continue here; " + what);
    continuation.repeats = false;
    m_sink->warned(what + "; the steps from here on are this machine's");
    return continuation;
  }

  /// @param damage why later steps of the run's file cannot be read; empty: no damage
  RunRecorder makeRecorder(const std::string& damage) {
    using Target = UnfinishedRun::Target;
    if (m_run.target != Target::OtherFile) {
      try {
        if (!damage.empty())
          throw badInput(m_run.file.string() + ": " + damage +
                         "; continue the run in another file (compare --out "
                         "OTHER.eqrun)");
        RunWriter::toContinue(m_run.file, {});
        return {m_run.file, ExistingFile::Continue, m_sink};
      } catch (const Error& error) {
        if (m_run.target == Target::SameFile || m_run.other.empty()) throw;
        m_sink->warned(
            error.within("the whole run is recorded in " + m_run.other.string()).what());
        m_run.target = Target::OtherFile;
      }
    }
    return {m_run.other, m_run.existing, m_sink, labelsIn(m_run.file)};
  }

  std::shared_ptr<const Session> m_session;
  UnfinishedRun m_run;
  std::shared_ptr<ContinuedRunSink> m_sink;
};

class OpenRunJob final : public Job {
 public:
  OpenRunJob(std::filesystem::path path, std::shared_ptr<OpenedRunSink> sink)
      : m_path(std::move(path)), m_sink(std::move(sink)) {}

  std::string name() const override { return "Open " + m_path.filename().string(); }

  void run(Control& control) override {
    const RunFile file(m_path);
    m_sink->runStarted(file.header());
    m_sink->endingRead(file.ending());
    const std::int64_t count = file.stepCount();
    for (std::int64_t step = 0; step < count; ++step) {
      control.throwIfStopped();
      m_sink->stepTaken(read(file, step));
      control.report(static_cast<double>(step + 1) / static_cast<double>(count),
                     "Reading the run");
    }
    if (count == 0) throw badInput(m_path.string() + " holds no finished step");
  }

 private:
  std::shared_ptr<const StepRecord> read(const RunFile& file, std::int64_t step) const {
    try {
      return file.step(StepIndex(step), FactorDetail::Omit);
    } catch (const Error& error) {
      m_sink->endingRead(RunEnding::Interrupted);
      throw error.within(m_path.string() + " is damaged, only " +
                         countText(static_cast<std::size_t>(step), "step") +
                         " can be read");
    }
  }

  std::filesystem::path m_path;
  std::shared_ptr<OpenedRunSink> m_sink;
};

}  // namespace

std::unique_ptr<Job> makeLoadJob(SessionRequest request,
                                 std::shared_ptr<SessionSink> sink) {
  return std::make_unique<LoadJob>(std::move(request), std::move(sink));
}

std::unique_ptr<Job> makeRunJob(std::shared_ptr<const Session> session,
                                RunRequest request, std::shared_ptr<RunSink> sink) {
  return std::make_unique<RunJob>(std::move(session), std::move(request),
                                  std::move(sink));
}

std::unique_ptr<Job> makeRecordedRunJob(std::shared_ptr<const Session> session,
                                        RunRequest request,
                                        std::shared_ptr<RunRecorder> recorder) {
  return std::make_unique<RecordedRunJob>(std::move(session), std::move(request),
                                          std::move(recorder));
}

std::unique_ptr<Job> makeContinuedRunJob(std::shared_ptr<const Session> session,
                                         UnfinishedRun run,
                                         std::shared_ptr<ContinuedRunSink> sink) {
  return std::make_unique<ContinuedRunJob>(std::move(session), std::move(run),
                                           std::move(sink));
}

std::unique_ptr<Job> makeOpenRunJob(std::filesystem::path path,
                                    std::shared_ptr<OpenedRunSink> sink) {
  return std::make_unique<OpenRunJob>(std::move(path), std::move(sink));
}

}  // namespace equipatch
