// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_opener.h"

#include <utility>

namespace equipatch {

RunOpener::RunOpener(RunController& controller, Open open, QObject* parent)
    : QObject(parent), m_controller(controller), m_open(std::move(open)) {
  connect(&controller, &RunController::runStopped, this, &RunOpener::clear);
  connect(&controller, &RunController::phaseChanged, this, [this] {
    if (!m_isOpening || m_controller.phase() != RunController::Phase::Idle) return;
    // Queued, because the controller is still ending its job.
    QMetaObject::invokeMethod(this, &RunOpener::openNext, Qt::QueuedConnection);
  });
}

bool RunOpener::add(const QString& file) {
  const bool isIdle = m_controller.phase() == RunController::Phase::Idle;
  if (!isIdle && !m_isOpening) return false;
  m_waiting.push_back(file);
  if (!std::exchange(m_isOpening, true)) openNext();
  return true;
}

void RunOpener::openNext() {
  if (m_waiting.empty() || m_controller.phase() != RunController::Phase::Idle)
    return clear();
  const QString file = std::move(m_waiting.front());
  m_waiting.pop_front();
  m_open(file);
}

void RunOpener::clear() {
  m_waiting.clear();
  m_isOpening = false;
}

}  // namespace equipatch
