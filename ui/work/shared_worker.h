#pragma once

#include <memory>
#include <vector>

#include "core/work/worker.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// The window's worker and those who give it jobs, such as runs and experiments: one
/// computes at a time. Each has a bridge of its own and hears of its own jobs only. Lives
/// on the window's thread.
class SharedWorker final : private WorkerListener {
 public:
  SharedWorker() : m_worker(*this) {}

  /// Where one more user hears of its jobs; lives as long as this. Call before any job
  /// starts.
  WorkerBridge& addUser();

  /// Stops what is going on, whoever started it, and starts a job of this user.
  void start(WorkerBridge& user, std::unique_ptr<Job> job,
             Worker::Start how = Worker::Start::Running);

  // These act on the job of this user; while another's is going on they do nothing.
  void pause(const WorkerBridge& user);
  void resume(const WorkerBridge& user);
  void stepOnce(const WorkerBridge& user);
  void stop(const WorkerBridge& user);

 private:
  // On the worker's thread. Every bridge hears everything and drops what is not of the
  // job it follows.
  void jobStarted(Generation generation, const std::string& name) override;
  void jobProgressed(Generation generation, double fraction,
                     const std::string& label) override;
  void jobPaused(Generation generation) override;
  void jobResumed(Generation generation) override;
  void jobHeld(Generation generation, const Error& reason) override;
  void jobFinished(Generation generation) override;
  void jobCancelled(Generation generation) override;
  void jobFailed(Generation generation, const Error& error) override;

  std::vector<std::unique_ptr<WorkerBridge>> m_bridges;
  const WorkerBridge* m_latest = nullptr;  ///< whose job was started last
  Worker m_worker;                         // last: its events reach the bridges
};

}  // namespace equipatch
