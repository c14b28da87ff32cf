// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/work/worker.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// The window's worker, shared by users such as runs and experiments; one job runs at a
/// time. Each user has a bridge, which reports that user's jobs only. Lives on the
/// window's thread.
class SharedWorker final : private WorkerListener {
 public:
  SharedWorker() : m_worker(*this) {}

  /// Makes the bridge of one more user; it lives as long as this. Call before any job
  /// starts.
  WorkerBridge& addUser();

  /// Stops the current job of any user and starts a job of this user.
  void start(WorkerBridge& user, std::unique_ptr<Job> job,
             Worker::Start how = Worker::Start::Running);

  // These act on this user's job and do nothing during another user's.
  void pause(const WorkerBridge& user);
  void resume(const WorkerBridge& user);
  void stepOnce(const WorkerBridge& user);
  void stop(const WorkerBridge& user);

 private:
  // Called on the worker's thread. Each event goes to every bridge, which drops events of
  // jobs that it does not follow.
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
  const WorkerBridge* m_latest = nullptr;  ///< user of the newest job
  Worker m_worker;                         // last, because its thread uses the bridges
};

}  // namespace equipatch
