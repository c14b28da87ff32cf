// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "core/run/export_job.h"
#include "ui/run/run_controller.h"
#include "ui/work/inbox.h"

namespace equipatch {

/// Exports recorded runs, one at a time, on the shared worker. Lives on the window's
/// thread.
class RunExporter final : public QObject {
  Q_OBJECT

 public:
  /// All parameters outlive the exporter. Make it before any job starts.
  RunExporter(Engine& engine, SharedWorker& worker, const RunController& runs,
              QObject* parent = nullptr);

  /// Why the run cannot be exported in this form now; empty if it can. Ignores `isBusy`.
  QString problem(RunForm form, const RunHeader& header) const;
  /// Whether this form needs the run's model, and the loaded model, if any, is not it or
  /// has other settings (`computesRun`).
  bool lacksModel(RunForm form, const RunHeader& header) const;
  bool isBusy() const { return m_isBusy; }  ///< an export is in progress
  /// Whether a run or a load in progress prevents every export.
  bool isHeldUp() const { return m_runs.phase() != RunController::Phase::Idle; }
  /// The approximate size of an exported checkpoint; 0 if no model is loaded.
  std::uintmax_t checkpointBytes() const;
  /// Stops the worker's current job, such as an experiment, and starts the export.
  void start(const ExportRequest& request);
  void stop();

 Q_SIGNALS:
  void progressed(double fraction, const QString& label);
  /// @param sentence what was written
  void exported(const QString& sentence);
  void failed(const QString& sentence);
  void stopped();
  /// What `problem`, `lacksModel`, `isBusy` and `isHeldUp` return may have changed.
  void possibilityChanged();

 private:
  class Sink;
  using Results = Inbox<std::string>;

  void end();

  Engine& m_engine;
  SharedWorker& m_worker;
  WorkerBridge& m_bridge;
  const RunController& m_runs;
  std::shared_ptr<Results> m_results = std::make_shared<Results>();
  bool m_isBusy = false;
};

}  // namespace equipatch
