#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "core/work/job.h"

namespace equipatch {

/// Where a worker leaves results for the window. `put` may be called from any thread and
/// never waits for the window; the window empties it on a timer.
///
/// Every job gets its own generation; what older jobs still put is dropped.
template <typename T>
class Inbox {
 public:
  /// Begins a generation: forgets what is waiting and refuses what older ones put from
  /// now.
  Generation renew() {
    const std::lock_guard lock(m_mutex);
    m_waiting.clear();
    return ++m_current;
  }

  /// @returns false when `generation` is stale and the value was dropped.
  bool put(Generation generation, T value) {
    const std::lock_guard lock(m_mutex);
    if (generation != m_current) return false;
    m_waiting.push_back(std::move(value));
    return true;
  }

  /// Everything waiting, in the order it was put.
  std::vector<T> take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_waiting, {});
  }

 private:
  std::mutex m_mutex;  // guards both members
  std::vector<T> m_waiting;
  Generation m_current = 0;
};

}  // namespace equipatch
