// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "core/work/job.h"
#include "core/work/worker.h"

namespace equipatch {

/// Emits a worker's events as signals on the window's thread, but only for followed jobs.
class WorkerBridge final : public QObject, public WorkerListener {
  Q_OBJECT

 public:
  explicit WorkerBridge(QObject* parent = nullptr) : QObject(parent) {}

  /// Follows only this job from now on. Call on the window's thread right after starting
  /// the job, before the event loop can deliver the job's events.
  void follow(Generation generation) { m_followed = generation; }
  /// Drops all events until `follow`.
  void followNone() { m_followed = 0; }
  /// Follows all jobs of the worker. Call before any job starts, instead of `follow`.
  void followAll() { m_followsAll = true; }

  // WorkerListener, on the worker's thread.
  void jobStarted(Generation generation, const std::string& name) override;
  void jobProgressed(Generation generation, double fraction,
                     const std::string& label) override;
  void jobPaused(Generation generation) override;
  void jobResumed(Generation generation) override;
  void jobHeld(Generation generation, const Error& reason) override;
  void jobFinished(Generation generation) override;
  void jobCancelled(Generation generation) override;
  void jobFailed(Generation generation, const Error& error) override;

 Q_SIGNALS:
  void started(const QString& name);
  void progressed(double fraction, const QString& label);
  void paused();
  void resumed();
  void held(const QString& sentence);
  void finished();
  void cancelled();
  void failed(const QString& sentence);

 private:
  void post(Generation generation, std::function<void()> event);

  Generation m_followed = 0;
  bool m_followsAll = false;
};

/// The window's worker, shared by users such as runs and experiments; one job runs at a
/// time. Each user has a bridge, which reports only this user's jobs. Call all functions
/// on the window's thread.
class SharedWorker final : private WorkerListener {
 public:
  SharedWorker() : m_worker(*this) {}

  /// Makes a bridge for another user, owned by the SharedWorker. Call before any job
  /// starts.
  WorkerBridge& addUser();

  /// Stops the current job of any user and starts a job of this user.
  void start(WorkerBridge& user, std::unique_ptr<Job> job,
             Worker::Start how = Worker::Start::Running);

  // The next four do nothing if the newest job is another user's.
  void pause(const WorkerBridge& user);
  void resume(const WorkerBridge& user);
  void stepOnce(const WorkerBridge& user);
  void stop(const WorkerBridge& user);

  /// Stops any user's job and waits for its end. Start no job afterwards.
  void finish() { m_worker.finish(); }

 private:
  // WorkerListener, on the worker's thread.
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
  Worker m_worker;                         // last, so destroyed before the bridges
};

}  // namespace equipatch
