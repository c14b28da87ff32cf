#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "core/work/worker.h"
#include "ui/run/engine.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// Whether this model computes that run: the same folder, dtype, device and arithmetic.
bool computesRun(const LoadedModel& model, const RunHeader& header);

/// Has a step's patched pass computed at other strengths, on a worker of its own. At most
/// one question is under way and one waits; a newer one takes the waiting one's place.
/// Lives on the window's thread.
class StrengthProbe final : public QObject {
  Q_OBJECT

 public:
  /// @param engine outlives the probe.
  explicit StrengthProbe(Engine& engine, QObject* parent = nullptr);

  /// Drops the model before this one, and all that was asked of it; null: there is none.
  void setModel(const std::shared_ptr<const LoadedModel>& model);

  /// `read` follows for each strength, in this order, until something else is asked. Of
  /// what was asked of another step nothing comes any more. Call with a model only.
  void ask(ReplayedStep step, std::vector<PatchStrength> strengths);
  void stop();
  bool busy() const { return m_busy; }

 Q_SIGNALS:
  void progressed(double fraction, const QString& label);
  void read(std::shared_ptr<const StrengthReading> reading);
  void failed(const QString& sentence);

 private:
  class Sink;
  class ReadJob;
  struct Question {
    ReplayedStep step;
    std::vector<PatchStrength> strengths;
  };

  void startNext();
  void ended();

  Engine& m_engine;
  std::shared_ptr<StepReplay> m_replay;
  ReplayedStep m_step;  ///< asked of last
  std::unique_ptr<Question> m_next;
  bool m_busy = false;
  Generation m_round = 0;  ///< readings of earlier rounds are dropped
  WorkerBridge m_bridge;   // before the worker: outlives it
  Worker m_worker;
};

}  // namespace equipatch
