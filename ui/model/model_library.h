#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/work/worker.h"
#include "ui/run/engine.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// What is on this machine, looked up by a worker of its own, so that neither the window
/// nor a run waits. Lives on the window's thread.
class ModelLibrary final : public QObject {
  Q_OBJECT

 public:
  /// @param engine outlives the library.
  explicit ModelLibrary(Engine& engine, QObject* parent = nullptr);

  /// Looks again; `listed` follows, first without parity.
  void refresh();
  /// Takes a folder off those used before, and looks again.
  void forget(const QString& folder);

 Q_SIGNALS:
  void listed(std::shared_ptr<const ModelList> list);
  void failed(const QString& sentence);

 private:
  class Sink;

  void take(Generation round, const std::shared_ptr<const ModelList>& list);
  void fail(const QString& sentence);

  Engine& m_engine;
  Generation m_round = 0;  ///< results of earlier rounds are dropped
  /// Still to be forgotten: a round that was stopped before it began forgot nothing.
  Folders m_forgotten;
  WorkerBridge m_bridge;  // before the worker: outlives it
  Worker m_worker;
};

}  // namespace equipatch
