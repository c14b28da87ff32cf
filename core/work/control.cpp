// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/control.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"

namespace equipatch {
namespace {

double thousandth(double fraction) {
  return std::floor(fraction * 1000.0);
}

}  // namespace

Control::Control(Generation generation, std::stop_token stop, Gate& gate,
                 WorkerListener& listener, Obstructed obstructed)
    : m_generation(generation),
      m_stop(std::move(stop)),
      m_gate(gate),
      m_listener(listener),
      m_obstructed(obstructed) {}

bool Control::pass() {
  return m_gate.pass(
      m_stop, [this] { m_listener.jobPaused(m_generation); },
      [this] { m_listener.jobResumed(m_generation); });
}

void Control::hold(const Error& reason) {
  if (m_obstructed == Obstructed::Fails) throw reason;
  m_gate.close();
  m_listener.jobHeld(m_generation, Error(reason.kind(), std::string(reason.what()) +
                                                            "; the run is paused until "
                                                            "it is resumed"));
  if (!pass()) throw Error(ErrorKind::Cancelled, "stopped on request");
}

bool Control::stopRequested() const {
  return !m_isComplete && m_stop.stop_requested();
}

void Control::report(double fraction, std::string_view label) {
  // Callers may divide by a total of zero; a progress bar must not get NaN.
  const double clamped = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
  if (label == m_lastLabel && thousandth(clamped) == thousandth(m_lastFraction)) return;
  m_lastFraction = clamped;
  m_lastLabel = label;
  m_listener.jobProgressed(m_generation, clamped, m_lastLabel);
}

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
