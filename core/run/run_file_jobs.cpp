#include "core/run/run_file_jobs.h"

#include <utility>

#include "core/base/error.h"
#include "core/record/run_file.h"
#include "core/record/run_recorder.h"
#include "core/run/run_job.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

class RecordedRunJob final : public Job {
 public:
  RecordedRunJob(std::unique_ptr<Job> run, std::shared_ptr<RunRecorder> recorder)
      : m_run(std::move(run)), m_recorder(std::move(recorder)) {}

  std::string name() const override { return m_run->name(); }

  void run(Control& control) override {
    try {
      m_run->run(control);
    } catch (...) {
      m_recorder->finish(RunEnding::Stopped);
      throw;
    }
    m_recorder->finish(RunEnding::Complete);
  }

 private:
  std::unique_ptr<Job> m_run;
  std::shared_ptr<RunRecorder> m_recorder;
};

class OpenRunJob final : public Job {
 public:
  OpenRunJob(std::filesystem::path path, std::shared_ptr<RunSink> sink)
      : m_path(std::move(path)), m_sink(std::move(sink)) {}

  std::string name() const override { return "Open " + m_path.filename().string(); }

  void run(Control& control) override {
    const RunFile file(m_path);
    m_sink->runStarted(file.header());
    const std::int64_t count = file.stepCount();
    for (std::int64_t step = 0; step < count; ++step) {
      control.throwIfStopped();
      m_sink->stepTaken(read(file, step));
      control.report(static_cast<double>(step + 1) / static_cast<double>(count),
                     "Reading the run");
    }
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
  std::shared_ptr<RunSink> m_sink;
};

}  // namespace

std::unique_ptr<Job> makeRecordedRunJob(std::shared_ptr<const Session> session,
                                        RunRequest request,
                                        std::shared_ptr<RunRecorder> recorder) {
  auto run = makeRunJob(std::move(session), std::move(request), recorder);
  return std::make_unique<RecordedRunJob>(std::move(run), std::move(recorder));
}

std::unique_ptr<Job> makeOpenRunJob(std::filesystem::path path,
                                    std::shared_ptr<RunSink> sink) {
  return std::make_unique<OpenRunJob>(std::move(path), std::move(sink));
}

}  // namespace equipatch
