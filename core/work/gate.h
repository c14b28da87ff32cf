// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>

namespace equipatch {

/// Pauses a run. The gate is open (the run goes on), or closed (the run waits) with a
/// number of single steps allowed. Any thread may change it; the worker waits at it.
class Gate {
 public:
  void open();   ///< discards single steps that were not taken
  void close();  ///< discards them too; the next pass waits
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

}  // namespace equipatch
