#include "core/work/inline_worker.h"

#include <thread>

#include "tests/core/work/recording_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::endlessJob;
using test::job;
using test::RecordingListener;

class tst_inline_worker : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void runsOnTheCallersThread();
  void neverWaitsAtTheGate();
  void stopFromAnotherThreadCancels();
  void stopHoldsForLaterJobs();
};

void tst_inline_worker::runsOnTheCallersThread() {
  RecordingListener listener;
  InlineWorker worker(listener);
  std::thread::id thread;
  worker.run(job([&](Control&) { thread = std::this_thread::get_id(); }));
  QCOMPARE(thread, std::this_thread::get_id());
}

void tst_inline_worker::neverWaitsAtTheGate() {
  RecordingListener listener;
  InlineWorker worker(listener);
  int passages = 0;
  worker.run(job([&](Control& control) {
    while (passages < 3 && control.pass()) ++passages;
  }));
  QCOMPARE(passages, 3);
  QCOMPARE(listener.lines(), (QStringList{"1 started: job", "1 finished"}));
}

void tst_inline_worker::stopFromAnotherThreadCancels() {
  RecordingListener listener;
  InlineWorker worker(listener);
  std::jthread watcher([&] {
    listener.waitFor("1 progressed: step 0");
    worker.stop();
  });
  worker.run(endlessJob());
  QCOMPARE(listener.ends(1), 1);
  QCOMPARE(listener.lines().last(), "1 cancelled");
}

void tst_inline_worker::stopHoldsForLaterJobs() {
  RecordingListener listener;
  InlineWorker worker(listener);
  worker.stop();
  bool ran = false;
  worker.run(job([&](Control&) { ran = true; }));
  worker.run(job([&](Control&) { ran = true; }));
  QVERIFY(!ran);
  QCOMPARE(listener.lines(), (QStringList{"1 started: job", "1 cancelled",
                                          "2 started: job", "2 cancelled"}));
}

EQUIPATCH_TEST(tst_inline_worker)
#include "tst_inline_worker.moc"
