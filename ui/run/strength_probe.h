// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <memory>
#include <vector>

#include "core/work/worker.h"
#include "ui/run/engine.h"
#include "ui/work/inbox.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// Computes a step's patched pass at other patch strengths, on a separate worker. Lives
/// on the window's thread.
class StrengthProbe final : public QObject {
  Q_OBJECT

 public:
  /// @param engine outlives the probe.
  explicit StrengthProbe(Engine& engine, QObject* parent = nullptr);

  /// Drops the earlier model and its requests. @param model null: no model is loaded
  void setModel(const std::shared_ptr<const LoadedModel>& model);

  /// Emits `read` for each strength, in the given order, until the next request. If the
  /// next request is for the same step, the reading in progress is still emitted;
  /// otherwise it is dropped. Requires a model.
  void request(ReplayedStep step, std::vector<PatchStrength> strengths);
  /// From now on, emits neither readings nor failures of earlier requests. The
  /// computation ends within the time of one layer.
  void stop();
  bool busy() const { return m_busy; }

 Q_SIGNALS:
  void progressed(double fraction, const QString& label);
  void read(std::shared_ptr<const StrengthReading> reading);
  void failed(const QString& sentence);

 private:
  class Sink;
  class ReadJob;
  struct Request {
    ReplayedStep step;
    std::vector<PatchStrength> strengths;
  };

  void startNext();
  void ended();

  Engine& m_engine;
  std::shared_ptr<StepReplay> m_replay;
  ReplayedStep m_step;  ///< of the newest request
  std::unique_ptr<Request> m_next;
  std::shared_ptr<std::atomic<bool>> m_superseded;  ///< read by the running job
  bool m_busy = false;
  Round m_round = 0;         ///< readings of earlier rounds are dropped
  Round m_roundStarted = 0;  ///< the round of the job that was started last
  WorkerBridge m_bridge;     // outlives m_worker, whose thread uses it
  Worker m_worker;
};

}  // namespace equipatch
