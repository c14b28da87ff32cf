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

/// Sends the worker's events to the window's thread. Signals are emitted there only, and
/// only for jobs that are followed; events of other jobs are dropped on arrival.
class WorkerBridge final : public QObject, public WorkerListener {
  Q_OBJECT

 public:
  explicit WorkerBridge(QObject* parent = nullptr) : QObject(parent) {}

  /// Follows this job from now on. Call on the window's thread right after the job is
  /// started, before any of its events can have been delivered.
  void follow(Generation generation) { m_followed = generation; }
  /// Drops all events until `follow`.
  void followNone() { m_followed = 0; }
  /// Drops no event, for a worker whose jobs do not replace each other. Call it before
  /// any job starts, instead of `follow`.
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
/// time. Each user has a bridge, which reports that user's jobs only. Lives on the
/// window's thread.
class SharedWorker final : private WorkerListener {
 public:
  SharedWorker() : m_worker(*this) {}

  /// Makes the bridge of one more user. The bridge lives as long as the SharedWorker.
  /// Call before any job starts.
  WorkerBridge& addUser();

  /// Stops the current job of any user and starts a job of this user.
  void start(WorkerBridge& user, std::unique_ptr<Job> job,
             Worker::Start how = Worker::Start::Running);

  // These act on this user's job and do nothing during another user's.
  void pause(const WorkerBridge& user);
  void resume(const WorkerBridge& user);
  void stepOnce(const WorkerBridge& user);
  void stop(const WorkerBridge& user);

  /// Stops any user's job and waits for its end. Start no job afterwards.
  void finish() { m_worker.finish(); }

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
