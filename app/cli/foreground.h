#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "core/base/error.h"
#include "core/run/session.h"
#include "core/work/worker.h"

namespace equipatch::cli {

/// Whether a job's progress is shown: not while its results are printed as they come.
enum class Telling { Results, Progress };

/// Runs jobs on the calling thread. Ctrl-C asks the running one, and all later ones, to
/// stop.
class Foreground final : private WorkerListener {
 public:
  /// Runs `job` to its end. @returns why it did not finish: its Error, or
  /// Error{Cancelled}.
  std::optional<Error> run(std::unique_ptr<Job> job, Telling telling = Telling::Results);

  /// Does some work with its progress shown. @throws Error when that fails or is stopped.
  void perform(const std::string& name, const std::function<void(Progress&)>& work);

  /// Loads a model, and notes that it was used. @throws Error when that fails or is
  /// stopped.
  std::shared_ptr<const Session> open(const SessionRequest& request);

  /// A line on standard error while a job runs.
  void say(const std::string& line);

 private:
  void jobStarted(Generation, const std::string&) override { m_line.begin(); }
  void jobProgressed(Generation, double fraction, const std::string& label) override;
  void jobPaused(Generation) override {}
  void jobResumed(Generation) override {}
  void jobFinished(Generation) override {}
  void jobCancelled(Generation) override;
  void jobFailed(Generation, const Error& error) override;

  std::optional<Error> m_problem;
  Telling m_telling = Telling::Results;
  ProgressLine m_line;
  InlineWorker m_worker{*this};
  Interrupt m_interrupt{[this] { m_worker.stop(); }};
};

/// One line on standard error where a model takes more memory than is free.
void warnOfMemory(const SessionRequest& request);

/// One line on standard error where the model is one for which the choice of a method
/// makes no difference.
void noteEqualMethods(const ModelSpec& spec);

}  // namespace equipatch::cli
