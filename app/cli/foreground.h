#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/run/session.h"
#include "core/work/worker.h"

namespace equipatch::cli {

/// While it lives, the first Ctrl-C (or SIGTERM) calls `onFirst` on a thread of its own;
/// the second ends the program at once. One at a time.
class Interrupt {
 public:
  explicit Interrupt(std::function<void()> onFirst);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::thread m_watcher;
};

/// A line on standard error that tells how far work is and how long it will still take,
/// written over again and again. Where standard error is no terminal there is none.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Other work begins, and its time.
  void begin();
  /// Shows it, unless it was shown a moment ago.
  void show(double fraction, const std::string& label);
  /// Leaves the place for other lines.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool m_terminal;
  bool m_visible = false;
  Clock::time_point m_begin = Clock::now();
  Clock::time_point m_shown;
};

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
