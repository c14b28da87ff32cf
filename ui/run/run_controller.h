// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/run/displayed_run.h"
#include "ui/run/engine.h"
#include "ui/run/run_inbox.h"
#include "ui/run/run_model.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

Error emptyPrompt();

/// Turns the user's commands into jobs and puts the jobs' results into the `RunModel`.
/// Lives on the window's thread and never waits for the worker.
class RunController : public QObject {
  Q_OBJECT

 public:
  enum class Phase { Idle, Loading, Running, Paused, Stopping };

  /// A run that is computed, not read from a file.
  struct ComputedRun {
    std::filesystem::path file;  ///< empty: the run is not recorded
    std::shared_ptr<const RunHeader> header;
    RunEnding ending = RunEnding::Stopped;  ///< while it runs, as if it ended now
  };

  /// @param engine, model, worker outlive the controller.
  RunController(Engine& engine, RunModel& model, SharedWorker& worker,
                QObject* parent = nullptr);

  Phase phase() const { return m_phase; }
  /// Null while no model is loaded.
  std::shared_ptr<const LoadedModel> loaded() const { return m_loaded; }
  /// The request of the last load, even if that load failed; none after `unload`.
  const std::optional<SessionRequest>& modelRequest() const { return m_loadedRequest; }

  /// Stops the current job and loads a model. If memory may not suffice, emits
  /// `memoryShortage` instead, unless the check is skipped.
  void load(const SessionRequest& request, MemoryCheck check = MemoryCheck::Ask);
  /// Call after `memoryShortage`: loads a model without the check. A run that waited for
  /// the refused model is then computed on this model.
  void loadAnyway(const SessionRequest& request);
  /// When idle or if `canRunWhenLoaded`: stops the worker's other jobs, loads the model
  /// unless it is loaded or being loaded, and starts a run. When paused: resumes.
  /// @throws Error{BadInput}, and changes nothing, if the prompt is refused or the record
  /// exists. `failed` reports the error instead if a job must first load the model or
  /// prepare the prompt.
  void run(const RunSettings& settings);
  /// As `run`, but pauses after one step. When running or paused: takes one more step and
  /// pauses.
  void step(const RunSettings& settings);
  /// Stops the current job, unless it loads the run's model, and starts or continues a
  /// run. @throws as `run`, but after stopping the job
  void startOver(const RunSettings& settings);
  void pause();
  void stop();
  /// Stops the current job and shows a recorded run.
  void openRun(const std::filesystem::path& file);

  DisplayedRun displayed() const;
  /// Stops the current job, discards its further results, and shows this run, or none.
  void show(const DisplayedRun& run);
  /// Stops the current job and releases the model.
  void unload();

  /// The file of the run on display or about to begin; empty when it is not recorded.
  const std::filesystem::path& file() const { return m_file; }
  std::filesystem::path recordedFile() const;  ///< the file being recorded; empty: none
  /// How the run on display ended; while it runs, how it would count if it ended now.
  RunEnding ending() const { return m_ending; }
  /// Whether the run of `file` is read from that file, not computed.
  bool isOpened() const { return m_isOpened; }
  /// Whether the run on display is being computed. After `load`, `openRun` or `startOver`
  /// has stopped this run, true until the new job ends or begins a run.
  bool isComputing() const;
  bool isOpeningRun() const { return m_phase == Phase::Loading && m_isOpening; }
  bool canRunWhenLoaded() const;  ///< a model is being loaded and no run waits for it

 Q_SIGNALS:
  void phaseChanged();  ///< also when a run begins to wait for its model
  void modelChanged();
  void runBegan(const RunController::ComputedRun& run);  ///< before it is displayed
  /// The run of the last `runBegan`, displayed or not, has ended; its file is closed.
  void runEnded(const RunController::ComputedRun& run);
  void progressed(double fraction, const QString& label);
  /// The model was not loaded; the user decides whether to load it.
  void memoryShortage(const MemoryShortage& shortage, const SessionRequest& request);
  void runFinished();  ///< a run has taken its last step
  void runStopped();   ///< a waiting run or any job was stopped and not replaced
  void held(const QString& sentence);  ///< paused, for a cause that the user can remove
  /// Why a continued run may differ from an uninterrupted run, or is recorded in another
  /// file.
  void warned(const QString& sentence);
  void failed(const QString& sentence);

 private:
  struct PendingRun {
    RunSettings settings;
    Worker::Start how;
  };

  void connectBridge();
  void start(const RunSettings& settings, Worker::Start how);
  void proceed(PendingRun pending);
  void beginRun(const PendingRun& pending);
  void expectRun(const std::filesystem::path& file, bool isOpened);
  void take(RunInbox::Item item, std::vector<RunModel::Record>& records);
  void abandon();
  void launch(std::unique_ptr<Job> job, Worker::Start how, Phase phase);
  void setPhase(Phase phase);
  void drain(MemoryCheck shortage = MemoryCheck::Ask);
  void beginComputed(std::shared_ptr<const RunHeader> header);
  void endComputed();
  void jobEnded();
  void jobFinished();
  void jobFailed(const QString& sentence);

  Engine& m_engine;
  RunModel& m_model;
  std::shared_ptr<RunInbox> m_results;
  std::shared_ptr<const LoadedModel> m_loaded;
  std::optional<SessionRequest> m_loadedRequest;
  std::optional<PendingRun> m_pending;
  std::optional<ComputedRun> m_computed;
  std::filesystem::path m_file;
  RunEnding m_ending = RunEnding::Stopped;
  bool m_isOpened = false;
  bool m_isOpening = false;  ///< the job under way reads a recorded run
  /// `m_file` and `m_isOpened` of the run on display, while another run is expected.
  std::optional<std::pair<std::filesystem::path, bool>> m_before;
  Phase m_phase = Phase::Idle;
  bool m_stopsRun = false;  ///< the job that is being stopped computes a run
  QTimer m_timer;
  SharedWorker& m_worker;
  WorkerBridge& m_bridge;
};

}  // namespace equipatch
