// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/work/worker.h"
#include "ui/run/engine.h"
#include "ui/work/inbox.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// Lists the models on this machine, on a worker of its own. Lives on the window's
/// thread.
class ModelLibrary final : public QObject {
  Q_OBJECT

 public:
  /// @param engine outlives the library.
  explicit ModelLibrary(Engine& engine, QObject* parent = nullptr);

  /// Stops a listing under way and lists the models again. Emits `listed` before the
  /// outstanding parity checks and again after them, or `failed`.
  void refresh();
  /// Removes a folder from those used before, and lists the models again. Emits `failed`
  /// if the folder cannot be removed.
  void forget(const QString& folder);

 Q_SIGNALS:
  void listed(std::shared_ptr<const ModelList> list);
  void failed(const QString& sentence);

 private:
  class Sink;

  void take(Round round, const std::shared_ptr<const ModelList>& list);
  void fail(const QString& sentence);

  Engine& m_engine;
  Round m_round = 0;  ///< results of earlier rounds are dropped
  /// Folders that are still to be forgotten. Every round gets all of them, because
  /// `refresh` may stop a round before the round has forgotten them.
  Folders m_forgotten;
  WorkerBridge m_bridge;  // declared first: must outlive m_worker
  Worker m_worker;
};

}  // namespace equipatch
