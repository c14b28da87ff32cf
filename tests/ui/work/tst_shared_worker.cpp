// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/work/shared_worker.h"

#include <QSignalSpy>

#include "core/work/control.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// Runs until it is stopped.
class EndlessJob final : public Job {
 public:
  std::string name() const override { return "endless"; }
  void run(Control& control) override {
    while (control.pass()) control.report(0.5, "going on");
  }
};

struct WorkerSetup {
  SharedWorker worker;
  WorkerBridge& runs = worker.addUser();
  WorkerBridge& lab = worker.addUser();
  QSignalSpy runsCancelled{&runs, &WorkerBridge::cancelled};
  QSignalSpy runsPaused{&runs, &WorkerBridge::paused};
  QSignalSpy labProgressed{&lab, &WorkerBridge::progressed};
  QSignalSpy labPaused{&lab, &WorkerBridge::paused};
  QSignalSpy labCancelled{&lab, &WorkerBridge::cancelled};

  void start(WorkerBridge& user) { worker.start(user, std::make_unique<EndlessJob>()); }
};

}  // namespace

class tst_shared_worker : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void everyoneHearsOfOwnJobsOnly() {
    WorkerSetup s;
    s.start(s.lab);
    QTRY_VERIFY(s.labProgressed.count() > 0);
    s.worker.stop(s.lab);
    QTRY_COMPARE(s.labCancelled.count(), 1);
    QCOMPARE(s.runsCancelled.count(), 0);
  }

  void aJobStopsWhatAnotherWasDoing() {
    WorkerSetup s;
    s.start(s.runs);
    s.start(s.lab);
    QTRY_COMPARE(s.runsCancelled.count(), 1);
    QTRY_VERIFY(s.labProgressed.count() > 0);
    QCOMPARE(s.labCancelled.count(), 0);
  }

  void nobodyHoldsAnothersJob() {
    WorkerSetup s;
    s.start(s.runs);
    s.start(s.lab);
    s.worker.pause(s.runs);
    s.worker.stepOnce(s.runs);
    s.worker.stop(s.runs);
    s.worker.pause(s.lab);
    QTRY_COMPARE(s.labPaused.count(), 1);
    QCOMPARE(s.runsPaused.count(), 0);
    QCOMPARE(s.labCancelled.count(), 0);
    s.labProgressed.clear();
    s.worker.resume(s.runs);
    s.worker.resume(s.lab);
    s.worker.stop(s.lab);
    QTRY_COMPARE(s.labCancelled.count(), 1);
  }

  void endsWithAJobUnderWay() {
    WorkerSetup s;
    s.start(s.runs);
    s.start(s.lab);
  }
};

EQUIPATCH_TEST(tst_shared_worker)
#include "tst_shared_worker.moc"
