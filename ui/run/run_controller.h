#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "ui/run/engine.h"
#include "ui/run/run_model.h"
#include "ui/work/shared_worker.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// The window's inbox for everything a load or a run yields, in order, and the sinks that
/// fill it. Sinks are made on the window's thread and used on the worker's.
class RunInbox : public std::enable_shared_from_this<RunInbox> {
 public:
  using Item =
      std::variant<std::shared_ptr<const LoadedModel>, std::shared_ptr<const RunHeader>,
                   std::shared_ptr<const StepRecord>,
                   std::shared_ptr<const PreparedPrompt>,
                   std::shared_ptr<const MemoryShortage>>;

  /// A sink of a new generation: everything put through older sinks is dropped.
  std::shared_ptr<ModelSink> makeModelSink();
  std::shared_ptr<RunSink> makeRunSink();
  std::shared_ptr<PromptSink> makePromptSink();

  std::vector<Item> take() { return m_inbox.take(); }

 private:
  class Sink;
  std::shared_ptr<Sink> makeSink();

  Inbox<Item> m_inbox;
};

/// Turns the user's commands into jobs and the jobs' results into the model on display.
/// Lives on the window's thread and never waits for the worker.
class RunController : public QObject {
  Q_OBJECT

 public:
  enum class Phase { Idle, Loading, Running, Paused, Stopping };

  /// @param engine, model, worker outlive the controller.
  RunController(Engine& engine, RunModel& model, SharedWorker& worker,
                QObject* parent = nullptr);

  Phase phase() const { return m_phase; }
  /// Null while no model is loaded.
  std::shared_ptr<const LoadedModel> loaded() const { return m_loaded; }
  /// How the loaded model was asked for, or the one that is being loaded.
  const std::optional<SessionRequest>& modelRequest() const { return m_loadedRequest; }

  /// Loads a model; stops what is going on. When memory may not suffice, `memoryShortage`
  /// follows instead, unless the check is skipped.
  void load(const SessionRequest& request, MemoryCheck check = MemoryCheck::Ask);
  /// Idle: starts a run, loading the model first when it is not the loaded one, and stops
  /// what else the worker does. Paused: goes on. @throws Error{BadInput} when the prompt
  /// cannot be tokenized; nothing has changed.
  void run(const RunSettings& settings);
  /// Idle: starts a run paused and takes one step. Running or paused: one more step, then
  /// paused.
  void step(const RunSettings& settings);
  /// Starts a run at once; stops what is going on.
  void startOver(const RunSettings& settings);
  void pause();
  void stop();
  /// Shows a recorded run; stops what is going on.
  void openRun(const std::filesystem::path& file);

  /// Where the run on display is recorded; empty when it is not.
  const std::filesystem::path& file() const { return m_file; }

 Q_SIGNALS:
  void phaseChanged();
  void modelChanged();
  void progressed(double fraction, const QString& label);
  /// The model was not loaded: the user must say whether it shall be.
  void memoryShortage(const MemoryShortage& shortage, const SessionRequest& request);
  /// A run has taken its last step; or it was stopped before.
  void runFinished();
  void runStopped();
  /// The run is paused for this reason, which the user can mend.
  void held(const QString& sentence);
  /// One sentence for the user.
  void failed(const QString& sentence);

 private:
  struct PendingRun {
    RunSettings settings;
    Worker::Start how;
  };

  void connectBridge();
  void start(const RunSettings& settings, Worker::Start how);
  /// The model is loaded: prepares the prompt where that is not done, then runs. A chat
  /// is prepared by a job, because its template runs in another process.
  void proceed(PendingRun pending);
  void beginRun(const PendingRun& pending);
  void take(RunInbox::Item item, std::vector<RunModel::Record>& records);
  void launch(std::unique_ptr<Job> job, Worker::Start how, Phase phase);
  void setPhase(Phase phase);
  void drain();
  void jobEnded();
  void jobFinished();
  void jobFailed(const QString& sentence);

  Engine& m_engine;
  RunModel& m_model;
  std::shared_ptr<RunInbox> m_results;
  std::shared_ptr<const LoadedModel> m_loaded;
  std::optional<SessionRequest> m_loadedRequest;
  std::optional<PendingRun> m_pending;
  std::filesystem::path m_file;
  Phase m_phase = Phase::Idle;
  QTimer m_timer;
  SharedWorker& m_worker;
  WorkerBridge& m_bridge;
};

}  // namespace equipatch
