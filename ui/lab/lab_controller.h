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
/// result in memory, and saves every result that has a panel to a file in the user's data
/// folder. Lives on the window's thread.
class LabController final : public QObject {
  Q_OBJECT

 public:
  enum class Phase { Idle, Running, Paused, Stopping };

  /// @param engine, worker must outlive the controller.
  LabController(Engine& engine, SharedWorker& worker, QObject* parent = nullptr);

  /// Where results are saved automatically.
  static QString folder();

  const std::vector<Experiment>& experiments() const { return m_engine.experiments(); }
  Phase phase() const { return m_phase; }
  /// The newest experiment's result so far; null until there is one. If the experiment
  /// ended without a result, the result that was shown before it; after `showAgain`, the
  /// result that was shown again.
  const std::shared_ptr<const LabResult>& result() const { return m_result; }
  /// While an experiment is computed: what `result` will be if it ends without a result.
  const std::shared_ptr<const LabResult>& resultBefore() const { return m_before.first; }
  /// `result` if it is of this experiment; otherwise the experiment's newest finished
  /// result since the program's start; null: none.
  std::shared_ptr<const LabResult> resultOf(const std::string& experiment) const;
  /// The name of the experiment that was started last, also while it has no result;
  /// empty: none.
  std::string newest() const { return m_request ? m_request->experiment : std::string(); }
  /// Path of the saved result; empty until it is saved.
  const QString& file() const { return m_file; }

  /// Starts an experiment. First stops the run or experiment under way, and saves that
  /// experiment's result so far.
  void start(const LabRequest& request);
  /// If an equal request computed the experiment's newest finished result, makes that
  /// result `result` again; otherwise changes nothing. @returns whether it was equal
  bool showAgain(const LabRequest& request);
  void pause();
  void resume();
  void stop();
  /// Stops and saves the result so far at once.
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

  /// A finished result, the path of its file, and what it was computed with.
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
