#pragma once

#include <memory>
#include <optional>

#include "app/cli/interrupt.h"
#include "core/base/error.h"
#include "core/run/session.h"
#include "core/work/inline_worker.h"

namespace equipatch::cli {

/// Runs jobs on the calling thread. Ctrl-C asks the running one, and all later ones, to
/// stop.
class Foreground final : private WorkerListener {
 public:
  /// Runs `job` to its end. @returns why it did not finish: its Error, or
  /// Error{Cancelled}.
  std::optional<Error> run(std::unique_ptr<Job> job);

  /// Loads a model. @throws Error when that fails or is stopped.
  std::shared_ptr<const Session> open(const SessionRequest& request);

 private:
  void jobStarted(Generation, const std::string&) override {}
  void jobProgressed(Generation, double, const std::string&) override {}
  void jobPaused(Generation) override {}
  void jobResumed(Generation) override {}
  void jobFinished(Generation) override {}
  void jobCancelled(Generation) override;
  void jobFailed(Generation, const Error& error) override;

  std::optional<Error> m_problem;
  InlineWorker m_worker{*this};
  Interrupt m_interrupt{[this] { m_worker.stop(); }};
};

}  // namespace equipatch::cli
