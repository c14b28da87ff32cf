// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_opener.h"

#include <algorithm>
#include <utility>

namespace equipatch {

RunOpener::RunOpener(RunController& controller, Open open, QObject* parent)
    : QObject(parent), m_controller(controller), m_open(std::move(open)) {
  connect(&controller, &RunController::runStopped, this, [this] { m_queue.clear(); });
  // The phase is Loading while a run is read, too: if a load replaces the reading, no
  // phaseChanged follows.
  connect(&controller, &RunController::modelChanged, this, [this] {
    const bool isLoading = m_controller.phase() == RunController::Phase::Loading;
    if (isLoading && !m_controller.isOpeningRun()) m_queue.clear();
  });
  connect(&controller, &RunController::phaseChanged, this, [this] {
    if (m_controller.phase() == RunController::Phase::Running) m_queue.clear();
    if (m_queue.empty() || m_controller.phase() != RunController::Phase::Idle) return;
    // Queued, because the controller may emit this before it has ended its job.
    QMetaObject::invokeMethod(this, &RunOpener::openNext, Qt::QueuedConnection);
  });
}

bool RunOpener::add(const QString& file) {
  const bool isIdle = m_controller.phase() == RunController::Phase::Idle;
  if (!isIdle && m_queue.empty()) return false;
  if (std::ranges::find(m_queue, file) != m_queue.end()) return true;
  m_queue.push_back(file);
  if (m_queue.size() == 1) m_open(file);
  return true;
}

void RunOpener::openNext() {
  // Meanwhile the user may have pressed Stop or started something else.
  if (m_queue.empty()) return;
  if (m_controller.phase() != RunController::Phase::Idle) return m_queue.clear();
  m_queue.pop_front();
  if (!m_queue.empty()) m_open(m_queue.front());
}

}  // namespace equipatch
