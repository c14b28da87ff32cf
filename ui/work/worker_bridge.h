#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "core/work/job.h"

namespace equipatch {

/// Brings the worker's events to the window's thread. Signals are emitted there only, and
/// only for the job that is followed: events of earlier jobs that were still under way
/// are dropped on arrival.
class WorkerBridge final : public QObject, public WorkerListener {
  Q_OBJECT

 public:
  explicit WorkerBridge(QObject* parent = nullptr) : QObject(parent) {}

  /// The job whose events matter from now on. Call on the window's thread right after the
  /// job was started: its events cannot have been delivered yet.
  void follow(Generation generation) { m_followed = generation; }

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
  void deliver(Generation generation, std::function<void()> event);

  Generation m_followed = 0;
};

}  // namespace equipatch
