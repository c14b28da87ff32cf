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

/// Computes a step's patched pass at other patch strengths, on a separate worker. At
/// most one request is computed and one waits; a newer request replaces the waiting one.
/// Lives on the window's thread.
class StrengthProbe final : public QObject {
  Q_OBJECT

 public:
  /// @param engine outlives the probe.
  explicit StrengthProbe(Engine& engine, QObject* parent = nullptr);

  /// Drops the earlier model and its requests; null: no model is loaded.
  void setModel(const std::shared_ptr<const LoadedModel>& model);

  /// Emits `read` for each strength, in the given order, until the next request. If that
  /// is for the same step, the reading in progress is still emitted, else it is stopped.
  /// Requires a model.
  void request(ReplayedStep step, std::vector<PatchStrength> strengths);
  /// Emits neither readings nor failures of earlier requests from now on. The computation
  /// ends within the time that a layer takes.
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
  std::shared_ptr<std::atomic<bool>> m_superseded;  ///< of the job that runs
  bool m_busy = false;
  Round m_round = 0;         ///< readings of earlier rounds are dropped
  Round m_roundStarted = 0;  ///< the round of the job that was started last
  WorkerBridge m_bridge;     // before m_worker, whose thread uses it to the end
  Worker m_worker;
};

}  // namespace equipatch
