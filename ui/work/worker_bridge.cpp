// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/work/worker_bridge.h"

#include <QMetaObject>
#include <utility>

namespace equipatch {

void WorkerBridge::post(Generation generation, std::function<void()> event) {
  QMetaObject::invokeMethod(
      this,
      [this, generation, event = std::move(event)] {
        if (generation == m_followed) event();
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

}  // namespace equipatch
