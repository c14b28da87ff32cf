// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lab/experiment.h"
#include "ui/run/engine.h"
#include "ui/work/inbox.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// Runs experiments on the window's worker. Keeps each experiment's newest finished
/// result in memory, and saves every result that has a panel to a file in `folder()`.
/// Lives on the window's thread.
class LabController final : public QObject {
  Q_OBJECT

 public:
  enum class Phase { Idle, Running, Paused, Stopping };

  /// @param engine, worker must outlive the controller.
  LabController(Engine& engine, SharedWorker& worker, QObject* parent = nullptr);

  static QString folder();

  const std::vector<Experiment>& experiments() const { return m_engine.experiments(); }
  Phase phase() const { return m_phase; }
  /// The result so far of the experiment that was started last; null until there is one.
  /// An experiment that ends without a result brings the previous `result` back.
  const std::shared_ptr<const LabResult>& result() const { return m_result; }
  /// While an experiment is computed: the `result` before its start.
  const std::shared_ptr<const LabResult>& resultBefore() const { return m_before.first; }
  /// `result` if this experiment computed it; otherwise the experiment's newest finished
  /// result; null: none.
  std::shared_ptr<const LabResult> resultOf(const std::string& experiment) const;
  /// The name of the experiment that was started last; empty: none.
  std::string newest() const { return m_request ? m_request->experiment : std::string(); }
  /// Path of the saved `result`; empty until `result` is saved.
  const QString& file() const { return m_file; }

  /// First stops the run or experiment under way; saves that experiment's result so far.
  void start(const LabRequest& request);
  /// Makes the experiment's newest finished result `result` again if its settings and
  /// seed equal the request's. @returns false, and changes nothing, if not
  bool showAgain(const LabRequest& request);
  void pause();
  void resume();
  void stop();
  /// Stops at once, and saves the result so far.
  void finish();

 Q_SIGNALS:
  void phaseChanged();
  /// `result` was replaced.
  void resultChanged();
  void progressed(double fraction, const QString& label);
  /// One sentence for the user.
  void failed(const QString& sentence);

 private:
  class Sink;
  using Results = Inbox<std::shared_ptr<const LabResult>>;

  struct Kept {
    std::shared_ptr<const LabResult> result;
    QString file;
    std::vector<LabChoice> choices;
    std::uint64_t seed = 0;
  };

  void connectBridge();
  void setPhase(Phase phase);
  void drain();
  void ended();
  void save();

  Engine& m_engine;
  SharedWorker& m_worker;
  WorkerBridge& m_bridge;
  std::shared_ptr<Results> m_results;  ///< sinks share it and may outlive this
  std::shared_ptr<const LabResult> m_result;
  QString m_file;
  /// `m_result` and `m_file` before the newest experiment.
  std::pair<std::shared_ptr<const LabResult>, QString> m_before;
  std::map<std::string, Kept> m_kept;   ///< the newest of each experiment
  std::optional<LabRequest> m_request;  ///< of the newest experiment
  Phase m_phase = Phase::Idle;
  QTimer m_timer;
};

}  // namespace equipatch
