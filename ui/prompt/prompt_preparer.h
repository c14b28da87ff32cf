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

/// Prepares the prompt editor's prompts on a worker of its own. Lives on the window's
/// thread.
class PromptPreparer final : public QObject {
  Q_OBJECT

 public:
  /// @param engine outlives the preparer.
  explicit PromptPreparer(Engine& engine, QObject* parent = nullptr);

 public Q_SLOTS:
  /// `prepared` or `failed` follows, unless another call comes first.
  /// @param model not null, and with a tokenizer
  void prepare(const std::shared_ptr<const LoadedModel>& model,
               const PromptSource& source);

 Q_SIGNALS:
  void prepared(std::shared_ptr<const PreparedPrompt> prompt);
  void failed(const QString& sentence);

 private:
  class Sink;

  Engine& m_engine;
  Round m_round = 0;      ///< results of earlier calls are dropped
  WorkerBridge m_bridge;  // must outlive the worker
  Worker m_worker;
};

}  // namespace equipatch
