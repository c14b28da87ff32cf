#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <vector>

#include "core/lab/experiment.h"
#include "ui/run/engine.h"
#include "ui/work/worker_bridge.h"
#include "ui/work/shared_worker.h"

namespace equipatch {

/// Has the window's worker do experiments, and keeps what they found: the newest in
/// memory, every one in a file of the user's data. Lives on the window's thread.
class LabController final : public QObject {
  Q_OBJECT

 public:
  enum class Phase { Idle, Running, Paused, Stopping };

  /// @param engine, worker outlive the controller.
  LabController(Engine& engine, SharedWorker& worker, QObject* parent = nullptr);

  /// Where results are saved by themselves.
  static QString folder();

  const std::vector<Experiment>& experiments() const { return m_engine.experiments(); }
  Phase phase() const { return m_phase; }
  /// What the newest experiment has found so far; null until it has found something.
  const std::shared_ptr<const LabResult>& result() const { return m_result; }
  /// Where the result is saved; empty before it is.
  const QString& file() const { return m_file; }

  /// Stops what is going on, be it an experiment or a run.
  void start(const LabRequest& request);
  void pause();
  void resume();
  void stop();
  /// Stops, and saves at once what was found until now.
  void finish();

 Q_SIGNALS:
  void phaseChanged();
  /// `result` is another.
  void grew();
  void progressed(double fraction, const QString& label);
  /// One sentence for the user.
  void failed(const QString& sentence);

 private:
  class Sink;
  using Results = Inbox<std::shared_ptr<const LabResult>>;

  void connectBridge();
  void setPhase(Phase phase);
  void drain();
  void ended();
  void save();

  Engine& m_engine;
  SharedWorker& m_worker;
  WorkerBridge& m_bridge;
  std::shared_ptr<Results> m_results;  ///< outlives this in the sinks
  std::shared_ptr<const LabResult> m_result;
  QString m_file;
  Phase m_phase = Phase::Idle;
  QTimer m_timer;
};

}  // namespace equipatch
