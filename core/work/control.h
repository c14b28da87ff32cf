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

/// Pauses a run. While the gate is closed, the run takes only the single steps that were
/// allowed. Any thread may open or close the gate; the thread of the run calls `pass`.
class Gate {
 public:
  void open();   ///< discards single steps that were not taken
  void close();  ///< as `open`
  /// Allows one more single step; closes an open gate.
  void allowStep();

  bool isOpen() const;

  /// Waits while the gate is closed. Calls `onWait` before a wait and, unless a stop
  /// request ends the wait, `onGo` after it; both without the lock.
  /// @returns false on a stop request
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
  Waits,  ///< somebody may resume the job
  Fails,  ///< nobody can resume the job
};

/// A running job's connection to its worker. Used only on the thread that runs the job.
class Control final : public Progress {
 public:
  Control(Generation generation, std::stop_token stop, Gate& gate,
          WorkerListener& listener, Obstructed obstructed = Obstructed::Waits);

  /// Waits while the gate is closed. Call this once per step of a run.
  /// @returns false when the job must end.
  bool pass();

  /// Closes the gate, reports `reason`, and waits until the job is resumed or stepped.
  /// With Obstructed::Fails, only throws `reason`.
  /// @throws Error{Cancelled} on a stop request, also after `setComplete`.
  void hold(const Error& reason);

  bool stopRequested() const override;
  /// Call this when the job's results are complete: `stopRequested` then stays false, and
  /// the job counts as finished even if a stop was requested before.
  void setComplete() { m_isComplete = true; }
  /// Pass this to code that waits, as for a child process, so that a stop ends the wait.
  std::stop_token stopToken() const { return m_stop; }

  /// Drops reports in which neither the label nor the fraction's thousandths change.
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
