#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "core/work/worker.h"
#include "ui/run/engine.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// Writes messages as a model's chat template does, for the prompt's preview, on a worker
/// of its own: templates run in another process. Lives on the window's thread.
class PromptPreparer final : public QObject {
  Q_OBJECT

 public:
  /// @param engine outlives the writer.
  explicit PromptPreparer(Engine& engine, QObject* parent = nullptr);

 public Q_SLOTS:
  /// `written` or `failed` follows, unless another message overtakes it.
  void write(const std::shared_ptr<const LoadedModel>& model, const QString& message);

 Q_SIGNALS:
  void written(std::shared_ptr<const WrittenChat> chat);
  void failed(const QString& sentence);

 private:
  class Sink;

  Engine& m_engine;
  Generation m_round = 0;  ///< results of earlier messages are dropped
  WorkerBridge m_bridge;   // before the worker: outlives it
  Worker m_worker;
};

}  // namespace equipatch
