// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/work/worker_bridge.h"

#include <QSignalSpy>
#include <chrono>
#include <semaphore>
#include <thread>

#include "core/work/control.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

class EndlessJob final : public Job {
 public:
  std::string name() const override { return "endless"; }
  void run(Control& control) override {
    while (control.pass()) control.report(0.5, "going on");
  }
};

struct BusyTime {
  std::binary_semaphore begun{0};
  std::binary_semaphore mayEnd{0};
};

/// Ignores stop requests and runs until `mayEnd` is released.
class BusyJob final : public Job {
 public:
  explicit BusyJob(BusyTime& time) : m_time(time) {}
  std::string name() const override { return "busy"; }
  void run(Control&) override {
    m_time.begun.release();
    m_time.mayEnd.acquire();
  }

 private:
  BusyTime& m_time;
};

struct WorkerSetup {
  BusyTime busy;  // outlives the worker, whose job uses it
  SharedWorker worker;
  WorkerBridge& runs = worker.addUser();
  WorkerBridge& lab = worker.addUser();
  QSignalSpy runsCancelled{&runs, &WorkerBridge::cancelled};
  QSignalSpy runsPaused{&runs, &WorkerBridge::paused};
  QSignalSpy labProgressed{&lab, &WorkerBridge::progressed};
  QSignalSpy labPaused{&lab, &WorkerBridge::paused};
  QSignalSpy labCancelled{&lab, &WorkerBridge::cancelled};

  void start(WorkerBridge& user) { worker.start(user, std::make_unique<EndlessJob>()); }
  /// Starts a busy job of `runs` and queues an endless job of `lab` behind it.
  void queue(Worker::Start how) {
    worker.start(runs, std::make_unique<BusyJob>(busy));
    QVERIFY(busy.begun.try_acquire_for(std::chrono::seconds(60)));
    worker.start(lab, std::make_unique<EndlessJob>(), how);
  }
};

}  // namespace

class tst_worker_bridge : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void deliversOnItsOwnThread();
  void dropsEventsOfOtherJobs();

  void followsAllJobsOfAQueue() {
    WorkerBridge bridge;
    bridge.followAll();
    QSignalSpy started(&bridge, &WorkerBridge::started);
    bridge.jobStarted(1, "one");
    bridge.jobStarted(2, "two");
    QTRY_COMPARE(started.count(), 2);
  }

  void dropsPendingEventsWhenAnotherJobIsFollowed();
  void eventsOfEachKindAreDelivered();

  void aUserGetsSignalsOfItsOwnJobsOnly() {
    WorkerSetup s;
    s.start(s.lab);
    QTRY_VERIFY(s.labProgressed.count() > 0);
    s.worker.stop(s.lab);
    QTRY_COMPARE(s.labCancelled.count(), 1);
    QCOMPARE(s.runsCancelled.count(), 0);
  }

  void aNewJobStopsAnotherUsersJob() {
    WorkerSetup s;
    s.start(s.runs);
    s.start(s.lab);
    QTRY_COMPARE(s.runsCancelled.count(), 1);
    QTRY_VERIFY(s.labProgressed.count() > 0);
    QCOMPARE(s.labCancelled.count(), 0);
  }

  /// The lab's job is queued, so a pause or stop that reached it would act before its
  /// first step.
  void pauseAndStopActOnTheUsersOwnJobOnly() {
    WorkerSetup s;
    s.queue(Worker::Start::Running);
    s.worker.pause(s.runs);
    s.worker.stop(s.runs);
    s.busy.mayEnd.release();
    QTRY_VERIFY(s.labProgressed.count() > 0);
    QCOMPARE(s.runsPaused.count(), 0);
    QCOMPARE(s.labCancelled.count(), 0);
  }

  void cannotResumeAnotherUsersJob() {
    WorkerSetup s;
    s.queue(Worker::Start::Paused);
    s.worker.resume(s.runs);
    s.worker.stepOnce(s.runs);
    s.busy.mayEnd.release();
    QTRY_COMPARE(s.labPaused.count(), 1);
    QCOMPARE(s.labProgressed.count(), 0);
    const QSignalSpy resumed(&s.lab, &WorkerBridge::resumed);
    s.worker.resume(s.lab);
    QTRY_COMPARE(resumed.count(), 1);
    s.worker.stop(s.lab);
    QTRY_COMPARE(s.labCancelled.count(), 1);
  }

  /// Otherwise the endless job would keep the destructor waiting for ever.
  void stopsTheJobWhenDestroyed() {
    WorkerSetup s;
    s.start(s.runs);
    s.start(s.lab);
  }
};

void tst_worker_bridge::deliversOnItsOwnThread() {
  WorkerBridge bridge;
  bridge.follow(7);
  QThread* deliveredOn = nullptr;
  connect(&bridge, &WorkerBridge::finished, this,
          [&] { deliveredOn = QThread::currentThread(); });
  std::jthread([&] { bridge.jobFinished(7); }).join();
  QVERIFY(!deliveredOn);
  QTRY_COMPARE(deliveredOn, QThread::currentThread());
}

void tst_worker_bridge::dropsEventsOfOtherJobs() {
  WorkerBridge bridge;
  bridge.follow(2);
  QSignalSpy started(&bridge, &WorkerBridge::started);
  QSignalSpy finished(&bridge, &WorkerBridge::finished);
  bridge.jobStarted(1, "old");
  bridge.jobFinished(2);
  QTRY_COMPARE(finished.count(), 1);
  QCOMPARE(started.count(), 0);
}

void tst_worker_bridge::dropsPendingEventsWhenAnotherJobIsFollowed() {
  WorkerBridge bridge;
  bridge.follow(1);
  QSignalSpy failed(&bridge, &WorkerBridge::failed);
  QSignalSpy finished(&bridge, &WorkerBridge::finished);
  bridge.jobFailed(1, badInput("too late"));
  bridge.followNone();
  bridge.follow(2);
  bridge.jobFinished(2);
  QTRY_COMPARE(finished.count(), 1);
  QCOMPARE(failed.count(), 0);
}

void tst_worker_bridge::eventsOfEachKindAreDelivered() {
  WorkerBridge bridge;
  bridge.follow(1);
  QStringList received;
  connect(&bridge, &WorkerBridge::started, this,
          [&](const QString& name) { received << name; });
  connect(&bridge, &WorkerBridge::progressed, this,
          [&](double fraction, const QString& label) {
            received << label + QString::number(fraction);
          });
  connect(&bridge, &WorkerBridge::paused, this,
          [&] { received << QStringLiteral("paused"); });
  connect(&bridge, &WorkerBridge::resumed, this,
          [&] { received << QStringLiteral("resumed"); });
  connect(&bridge, &WorkerBridge::held, this,
          [&](const QString& text) { received << text; });
  connect(&bridge, &WorkerBridge::finished, this,
          [&] { received << QStringLiteral("finished"); });
  connect(&bridge, &WorkerBridge::cancelled, this,
          [&] { received << QStringLiteral("cancelled"); });
  connect(&bridge, &WorkerBridge::failed, this,
          [&](const QString& text) { received << text; });
  bridge.jobStarted(1, "Load");
  bridge.jobProgressed(1, 0.5, "Reading ");
  bridge.jobPaused(1);
  bridge.jobResumed(1);
  bridge.jobHeld(1, badInput("No space is left."));
  bridge.jobFinished(1);
  bridge.jobCancelled(1);
  bridge.jobFailed(1, badInput("Layer ∞ is missing."));
  QTRY_COMPARE(received.size(), 8);
  QCOMPARE(received.join(u'|'),
           QStringLiteral("Load|Reading 0.5|paused|resumed|No space is left.|finished|"
                          "cancelled|Layer ∞ is missing."));
}

EQUIPATCH_TEST(tst_worker_bridge)
#include "tst_worker_bridge.moc"
