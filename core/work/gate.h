#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>

namespace equipatch {

/// The one place where a run is held: open (run), shut (pause), or shut with a number of
/// single steps allowed through. Any thread may change it; the worker waits at it.
class Gate {
 public:
  void open();  ///< forgets steps that were allowed and not taken
  void shut();  ///< likewise: the next pass waits
  /// Lets exactly one more pass through a shut gate; two calls let two through. Shuts an
  /// open gate first.
  void allowOne();

  bool isOpen() const;

  /// Waits until passage is allowed or a stop is requested. `onWait` is called, without
  /// the lock, before the first wait and `onGo` after it, so that a listener can tell the
  /// pause; `onGo` is left out when a stop ends the wait. @returns false when the stop
  /// was requested.
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
