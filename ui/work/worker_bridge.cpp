// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/work/worker_bridge.h"

#include <QMetaObject>
#include <utility>

namespace equipatch {

void WorkerBridge::post(Generation generation, std::function<void()> event) {
  QMetaObject::invokeMethod(
      this,
      [this, generation, event = std::move(event)] {
        if (m_followsAll || generation == m_followed) event();
      },
      Qt::QueuedConnection);
}

void WorkerBridge::jobStarted(Generation generation, const std::string& name) {
  post(generation, [this, text = QString::fromStdString(name)] { Q_EMIT started(text); });
}

void WorkerBridge::jobProgressed(Generation generation, double fraction,
                                 const std::string& label) {
  post(generation, [this, fraction, text = QString::fromStdString(label)] {
    Q_EMIT progressed(fraction, text);
  });
}

void WorkerBridge::jobPaused(Generation generation) {
  post(generation, [this] { Q_EMIT paused(); });
}

void WorkerBridge::jobResumed(Generation generation) {
  post(generation, [this] { Q_EMIT resumed(); });
}

void WorkerBridge::jobHeld(Generation generation, const Error& reason) {
  post(generation,
       [this, text = QString::fromUtf8(reason.what())] { Q_EMIT held(text); });
}

void WorkerBridge::jobFinished(Generation generation) {
  post(generation, [this] { Q_EMIT finished(); });
}

void WorkerBridge::jobCancelled(Generation generation) {
  post(generation, [this] { Q_EMIT cancelled(); });
}

void WorkerBridge::jobFailed(Generation generation, const Error& error) {
  post(generation,
       [this, text = QString::fromUtf8(error.what())] { Q_EMIT failed(text); });
}

WorkerBridge& SharedWorker::addUser() {
  return *m_bridges.emplace_back(std::make_unique<WorkerBridge>());
}

void SharedWorker::start(WorkerBridge& user, std::unique_ptr<Job> job,
                         Worker::Start how) {
  m_worker.stop();
  m_latest = &user;
  user.follow(m_worker.start(std::move(job), how));
}

void SharedWorker::pause(const WorkerBridge& user) {
  if (m_latest == &user) m_worker.pause();
}

void SharedWorker::resume(const WorkerBridge& user) {
  if (m_latest == &user) m_worker.resume();
}

void SharedWorker::stepOnce(const WorkerBridge& user) {
  if (m_latest == &user) m_worker.stepOnce();
}

void SharedWorker::stop(const WorkerBridge& user) {
  if (m_latest == &user) m_worker.stop();
}

void SharedWorker::jobStarted(Generation generation, const std::string& name) {
  for (const auto& bridge : m_bridges) bridge->jobStarted(generation, name);
}

void SharedWorker::jobProgressed(Generation generation, double fraction,
                                 const std::string& label) {
  for (const auto& bridge : m_bridges) bridge->jobProgressed(generation, fraction, label);
}

void SharedWorker::jobPaused(Generation generation) {
  for (const auto& bridge : m_bridges) bridge->jobPaused(generation);
}

void SharedWorker::jobResumed(Generation generation) {
  for (const auto& bridge : m_bridges) bridge->jobResumed(generation);
}

void SharedWorker::jobHeld(Generation generation, const Error& reason) {
  for (const auto& bridge : m_bridges) bridge->jobHeld(generation, reason);
}

void SharedWorker::jobFinished(Generation generation) {
  for (const auto& bridge : m_bridges) bridge->jobFinished(generation);
}

void SharedWorker::jobCancelled(Generation generation) {
  for (const auto& bridge : m_bridges) bridge->jobCancelled(generation);
}

void SharedWorker::jobFailed(Generation generation, const Error& error) {
  for (const auto& bridge : m_bridges) bridge->jobFailed(generation, error);
}

}  // namespace equipatch
