// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_job.h"

#include <utility>

#include "core/base/error.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "core/run/backend.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

class LoadJob final : public Job {
 public:
  LoadJob(SessionRequest request, std::shared_ptr<SessionSink> sink)
      : m_request(std::move(request)), m_sink(std::move(sink)) {}

  std::string name() const override {
    return "Load " + m_request.folder.filename().string();
  }

  void run(Control& control) override {
    m_sink->sessionOpened(Session::open(m_request, control));
  }

 private:
  SessionRequest m_request;
  std::shared_ptr<SessionSink> m_sink;
};

class RunJob final : public Job {
 public:
  RunJob(std::shared_ptr<const Session> session, RunRequest request,
         std::shared_ptr<RunSink> sink)
      : m_session(std::move(session)),
        m_request(std::move(request)),
        m_sink(std::move(sink)) {}

  std::string name() const override { return "Run " + m_session->modelName(); }

  void run(Control& control) override {
    const auto total = static_cast<double>(m_request.steps);
    const auto comparison = backend().makeComparison(m_session, std::move(m_request));
    m_sink->runStarted(std::make_shared<const RunHeader>(comparison->header()));
    comparison->prefill(control);
    double taken = 0.0;
    while (!comparison->done() && control.pass()) {
      PartialProgress step(control, taken / total, (taken + 1.0) / total);
      m_sink->stepTaken(comparison->step(step));
      control.report(++taken / total, "Generating");
    }
    control.throwIfStopped();
  }

 private:
  std::shared_ptr<const Session> m_session;
  RunRequest m_request;
  std::shared_ptr<RunSink> m_sink;
};

/// Pauses the run when a step cannot be written, so that no step is lost on a full disk.
class WaitingSink final : public RunSink {
 public:
  WaitingSink(RunRecorder& recorder, Control& control)
      : m_recorder(recorder), m_control(control) {}

  void runStarted(std::shared_ptr<const RunHeader> header) override {
    m_recorder.runStarted(std::move(header));
  }
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    while (!isRecorded(record)) m_control.throwIfStopped();
  }

 private:
  bool isRecorded(const std::shared_ptr<const StepRecord>& record) {
    try {
      m_recorder.stepTaken(record);
      return true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Resource) throw;
      m_control.hold(
          Error(ErrorKind::Resource,
                std::string(error.what()) + "; the run is paused until it is resumed"));
      return false;
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
    try {
      makeRunJob(m_session, std::move(m_request),
                 std::make_shared<WaitingSink>(*m_recorder, control))
          ->run(control);
    } catch (...) {
      m_recorder->finish(RunEnding::Stopped);
      throw;
    }
    m_recorder->finish(RunEnding::Complete);
  }

 private:
  std::shared_ptr<const Session> m_session;
  RunRequest m_request;
  std::shared_ptr<RunRecorder> m_recorder;
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
      throw error.within(m_path.string() + " is damaged, only " + std::to_string(step) +
                         " steps can be read");
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

std::unique_ptr<Job> makeOpenRunJob(std::filesystem::path path,
                                    std::shared_ptr<OpenedRunSink> sink) {
  return std::make_unique<OpenRunJob>(std::move(path), std::move(sink));
}

}  // namespace equipatch
