// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/gate.h"

#include <utility>

namespace equipatch {

void Gate::open() {
  {
    const std::lock_guard lock(m_mutex);
    m_open = true;
    m_credits = 0;
  }
  m_changed.notify_all();
}

void Gate::close() {
  const std::lock_guard lock(m_mutex);
  m_open = false;
  m_credits = 0;
}

void Gate::allowStep() {
  {
    const std::lock_guard lock(m_mutex);
    m_open = false;
    ++m_credits;
  }
  m_changed.notify_all();
}

bool Gate::isOpen() const {
  const std::lock_guard lock(m_mutex);
  return m_open;
}

bool Gate::pass(std::stop_token stop, const std::function<void()>& onWait,
                const std::function<void()>& onGo) {
  std::unique_lock lock(m_mutex);
  const bool waits = !mayPass() && !stop.stop_requested();
  if (waits) {
    lock.unlock();
    if (onWait) onWait();
    lock.lock();
    m_changed.wait(lock, stop, [this] { return mayPass(); });
  }
  // A stop request takes precedence over an open gate and uses no credit.
  if (stop.stop_requested()) return false;
  if (!m_open) --m_credits;
  lock.unlock();
  if (waits && onGo) onGo();
  return true;
}

}  // namespace equipatch
