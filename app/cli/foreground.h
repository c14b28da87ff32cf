// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/run/session.h"
#include "core/work/control.h"
#include "core/work/worker.h"

namespace equipatch::cli {

/// Handles Ctrl-C and SIGTERM during its lifetime: the first signal calls `onFirst` on a
/// separate thread, the second ends the program at once. At most one instance may exist
/// at a time.
class Interrupt {
 public:
  explicit Interrupt(std::function<void()> onFirst);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::atomic<bool> m_ended = false;
  std::thread m_watcher;
};

/// A progress line on standard error with the remaining time. Prints nothing when
/// standard error is not a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Begins a new task. Its remaining time is estimated from the first `show` on.
  void begin();
  /// Ignores calls within 0.1 s after the line was written.
  void show(double fraction, const std::string& label);
  /// Call this before printing other lines.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool m_terminal;
  bool m_visible = false;
  Clock::time_point m_begin;              ///< time of the first `show` since `begin`
  std::optional<double> m_firstFraction;  ///< fraction of this `show`
  Clock::time_point m_shown;
};

/// Whether a progress line is shown while a job runs.
enum class Reporting {
  Results,  ///< no; the job may print to standard output
  Progress  ///< yes; print other lines with `Foreground::printLine`
};

/// Runs jobs on the calling thread. Ctrl-C or SIGTERM stops the running job and all later
/// ones.
class Foreground final : private WorkerListener {
 public:
  /// @returns nullopt when the job finished, Error{Cancelled} when it was stopped,
  /// otherwise the job's error.
  std::optional<Error> run(std::unique_ptr<Job> job,
                           Reporting reporting = Reporting::Results);

  /// Runs `work` with a progress line. @throws Error when `work` fails or is stopped.
  void runTask(const std::string& name, const std::function<void(Control&)>& work);

  /// Calls `warnOfMemory`, loads the model and remembers its folder (`rememberModel`).
  /// @throws Error as `warnOfMemory`, and when the loading fails or is stopped.
  std::shared_ptr<const Session> open(const SessionRequest& request);

  /// Prints a line on standard error, above the progress line.
  void printLine(const std::string& line);

 private:
  void jobStarted(Generation, const std::string&) override { m_line.begin(); }
  void jobProgressed(Generation, double fraction, const std::string& label) override;
  void jobPaused(Generation) override {}
  void jobResumed(Generation) override {}
  void jobFinished(Generation) override {}
  void jobCancelled(Generation) override;
  void jobFailed(Generation, const Error& error) override;

  std::optional<Error> m_problem;
  Reporting m_reporting = Reporting::Results;
  ProgressLine m_line;
  InlineWorker m_worker{*this};
  Interrupt m_interrupt{[this] { m_worker.stop(); }};
};

/// Prints a warning on standard error when a model needs more memory than is free.
/// @throws Error as `findShortage`.
void warnOfMemory(const SessionRequest& request);

/// Prints a note on standard error when all methods compute the same patch for a model.
void noteEqualMethods(const ModelSpec& spec);

}  // namespace equipatch::cli
