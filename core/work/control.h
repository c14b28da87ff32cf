// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/work/job.h"

namespace equipatch {

/// Pauses a run. While the gate is open, the run continues; while the gate is closed, the
/// run takes the single steps that were allowed and then waits. Any thread may open or
/// close the gate; the worker waits at it.
class Gate {
 public:
  void open();   ///< discards single steps that were not taken
  void close();  ///< also discards single steps; the next pass waits
  /// Allows one more single step; calls add up. Closes an open gate first.
  void allowStep();

  bool isOpen() const;

  /// Waits until passage is allowed or a stop is requested. `onWait` is called before the
  /// wait and `onGo` after it, both without the lock, to report the pause; `onGo` is not
  /// called when a stop ends the wait. @returns false on a stop request.
  bool pass(std::stop_token stop, const std::function<void()>& onWait = {},
            const std::function<void()>& onGo = {});

 private:
  bool mayPass() const { return m_open || m_credits > 0; }

  mutable std::mutex m_mutex;
  std::condition_variable_any m_changed;
  bool m_open = true;
  std::int64_t m_credits = 0;
};

/// What Control::hold does with a job that cannot continue for now.
enum class Obstructed {
  Waits,  ///< the job waits, because somebody may resume it
  Fails,  ///< the job fails, because nobody can resume it
};

/// A running job's connection to its worker: it waits at the gate, checks for stop
/// requests and reports progress. Used on the worker's thread only.
class Control final : public Progress {
 public:
  Control(Generation generation, std::stop_token stop, Gate& gate,
          WorkerListener& listener, Obstructed obstructed = Obstructed::Waits);

  /// Waits while the gate is closed; called once per step of a run.
  /// @returns false when the job must end.
  bool pass();

  /// Closes the gate, reports `reason` and that the run is paused, and waits until the
  /// job is resumed or stepped. With Obstructed::Fails it only throws `reason`.
  /// @throws Error{Cancelled} on a stop request, also after `setComplete`.
  void hold(const Error& reason);

  /// Always false after `setComplete`.
  bool stopRequested() const override;
  /// Call this when the job's results are complete. `stopRequested` then ignores stop
  /// requests, earlier ones too, and the job counts as finished, not as cancelled.
  void setComplete() { m_isComplete = true; }
  /// Pass this to work that waits for something else, such as a child process, so that a
  /// stop request ends the wait.
  std::stop_token stopToken() const { return m_stop; }

  /// Forwards a report when the label changes or the fraction changes by a thousandth,
  /// which limits the rate of events.
  void report(double fraction, std::string_view label) override;

  Generation generation() const { return m_generation; }

 private:
  Generation m_generation;
  std::stop_token m_stop;
  Gate& m_gate;
  WorkerListener& m_listener;
  Obstructed m_obstructed;
  bool m_isComplete = false;
  double m_lastFraction = -1.0;
  std::string m_lastLabel;
};

}  // namespace equipatch
