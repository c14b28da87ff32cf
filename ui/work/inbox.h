// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace equipatch {

/// The number of a request. Each requester counts its own requests; a worker's
/// Generation, in contrast, counts the jobs of all users.
using Round = std::uint64_t;

/// A queue of results from a worker to the window. All functions may be called from any
/// thread.
template <typename T>
class Inbox {
 public:
  /// Begins a round. Drops the waiting values and, from now on, values of older rounds.
  /// @returns the number of the round
  Round renew() {
    const std::lock_guard lock(m_mutex);
    m_waiting.clear();
    return ++m_current;
  }

  /// @returns false if `round` is over; the value is then dropped
  bool put(Round round, T value) {
    const std::lock_guard lock(m_mutex);
    if (round != m_current) return false;
    m_waiting.push_back(std::move(value));
    return true;
  }

  /// All waiting values, in the order they were put.
  std::vector<T> take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_waiting, {});
  }

 private:
  std::mutex m_mutex;  // guards both members below
  std::vector<T> m_waiting;
  Round m_current = 0;
};

}  // namespace equipatch
