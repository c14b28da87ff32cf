// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "core/work/worker.h"
#include "ui/run/engine.h"
#include "ui/work/inbox.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// Generates a text with a run's model, without the absorbed part and without the patch,
/// on a separate worker. The window's run must not compute meanwhile.
class BareText final : public QObject {
  Q_OBJECT

 public:
  /// @param engine outlives this.
  explicit BareText(Engine& engine, QObject* parent = nullptr);

  /// Emits `written` with the text so far after each token, until `stop` or the next
  /// request.
  /// @param run as `bareRequest` makes it
  void request(const LoadedModel& model, const RunRequest& run);
  void stop();

 Q_SIGNALS:
  void written(const QString& text);
  void failed(const QString& sentence);

 private:
  class Sink;

  Engine& m_engine;
  Round m_round = 0;      ///< `stop` ends a round; texts of ended rounds are dropped
  WorkerBridge m_bridge;  // declared before the worker, which it outlives
  Worker m_worker;
};

}  // namespace equipatch
