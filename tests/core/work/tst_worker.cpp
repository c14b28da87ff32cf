// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/worker.h"

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include "tests/core/work/recording_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::endlessJob;
using test::job;
using test::RecordingListener;

class tst_worker : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void runsAndDestroysJobsOnItsThread();
  void runsJobsInTheOrderOfTheirStart();
  void startsPausedAndTakesSingleSteps();
  void stepsAllowedBeforeTheJobBeginsAreKept();
  void pausesAndResumes();
  void stopWakesAPausedJob();
  void stopReportsQueuedJobsAsCancelled();
  void aStartAfterAStopRunsWithItsOwnGate();
  void aStoppedJobThatLingersGetsNoCommands();
  void commandsWithoutAJobDoNothing();
  void listenersMayUseTheWorker();
  void finishWaitsForTheRunningJob();
  void anIdleWorkerCanBeDestroyed();
  void isDestroyedWhilePaused();
  void isDestroyedWhileRunningWithAQueue();
  void survivesManyRandomCommands();
  void inlineWorkerRunsOnTheCallersThread();
  void inlineWorkerNeverPauses();
  void inlineWorkerStopsFromAnotherThread();
  void inlineWorkerStopAppliesToLaterJobs();
};

namespace {

/// Takes `count` steps and reports each: "step 0", "step 1", …
std::unique_ptr<Job> countingJob(int count) {
  return job([count](Control& control) {
    for (int step = 0; step < count && control.pass(); ++step)
      control.report(0.0, "step " + std::to_string(step));
  });
}

struct ThreadProbe {
  std::thread::id* destroyedOn;
  explicit ThreadProbe(std::thread::id* where) : destroyedOn(where) {}
  ~ThreadProbe() { *destroyedOn = std::this_thread::get_id(); }
};

}  // namespace

void tst_worker::runsAndDestroysJobsOnItsThread() {
  RecordingListener listener;
  Worker worker(listener);
  std::thread::id ranOn;
  std::thread::id destroyedOn;
  std::thread::id toldOn;
  listener.onEvent = [&](const QString&) { toldOn = std::this_thread::get_id(); };
  const auto generation =
      worker.start(job([&, probe = std::make_shared<ThreadProbe>(&destroyedOn)](
                           Control&) { ranOn = std::this_thread::get_id(); }));
  QVERIFY(listener.waitForEnd(generation));
  QVERIFY(ranOn != std::this_thread::get_id());
  QCOMPARE(destroyedOn, ranOn);
  QCOMPARE(toldOn, ranOn);
}

void tst_worker::runsJobsInTheOrderOfTheirStart() {
  RecordingListener listener;
  Worker worker(listener);
  worker.start(job([](Control&) {}, "first"));
  worker.start(job([](Control&) {}, "second"));
  worker.start(job([](Control&) {}, "third"));
  QVERIFY(listener.waitForEnd(3));
  QCOMPARE(listener.lines(),
           (QStringList{"1 started: first", "1 finished", "2 started: second",
                        "2 finished", "3 started: third", "3 finished"}));
}

void tst_worker::startsPausedAndTakesSingleSteps() {
  RecordingListener listener;
  Worker worker(listener);
  worker.start(countingJob(2), Worker::Start::Paused);
  QVERIFY(listener.waitFor("1 paused"));
  worker.stepOnce();
  QVERIFY(listener.waitFor("1 paused", 2));
  worker.stepOnce();
  QVERIFY(listener.waitForEnd(1));
  QCOMPARE(listener.lines(),
           (QStringList{"1 started: job", "1 paused", "1 resumed", "1 progressed: step 0",
                        "1 paused", "1 resumed", "1 progressed: step 1", "1 finished"}));
}

void tst_worker::stepsAllowedBeforeTheJobBeginsAreKept() {
  RecordingListener listener;
  Worker worker(listener);
  for (Generation run = 1; run <= 200; ++run) {
    worker.start(countingJob(2), Worker::Start::Paused);
    worker.stepOnce();
    worker.stepOnce();
    QVERIFY(listener.waitForEnd(run));
    QCOMPARE(listener.lines().last(), QString::number(run) + " finished");
  }
}

void tst_worker::pausesAndResumes() {
  RecordingListener listener;
  Worker worker(listener);
  worker.start(endlessJob());
  for (int round = 1; round <= 20; ++round) {
    worker.pause();
    QVERIFY(listener.waitFor("1 paused", round));
    worker.resume();
    QVERIFY(listener.waitFor("1 resumed", round));
  }
  worker.stop();
  QVERIFY(listener.waitForEnd(1));
  QCOMPARE(listener.lines().last(), "1 cancelled");
}

void tst_worker::stopWakesAPausedJob() {
  RecordingListener listener;
  Worker worker(listener);
  worker.start(endlessJob(), Worker::Start::Paused);
  QVERIFY(listener.waitFor("1 paused"));
  worker.stop();
  QVERIFY(listener.waitForEnd(1));
  QCOMPARE(listener.lines(), (QStringList{"1 started: job", "1 paused", "1 cancelled"}));
}

void tst_worker::stopReportsQueuedJobsAsCancelled() {
  RecordingListener listener;
  Worker worker(listener);
  std::atomic<bool> ran = false;
  worker.start(endlessJob(), Worker::Start::Paused);
  worker.start(job([&](Control&) { ran = true; }, "queued"));
  worker.start(job([&](Control&) { ran = true; }, "queued too"));
  QVERIFY(listener.waitFor("1 paused"));
  worker.stop();
  QVERIFY(listener.waitForEnd(3));
  QVERIFY(!ran);
  QCOMPARE(listener.lines(),
           (QStringList{"1 started: job", "1 paused", "1 cancelled", "2 started: queued",
                        "2 cancelled", "3 started: queued too", "3 cancelled"}));
}

void tst_worker::aStartAfterAStopRunsWithItsOwnGate() {
  RecordingListener listener;
  Worker worker(listener);
  worker.start(endlessJob(), Worker::Start::Paused);
  QVERIFY(listener.waitFor("1 paused"));
  worker.stop();
  worker.start(countingJob(1), Worker::Start::Running);
  QVERIFY(listener.waitForEnd(2));
  QVERIFY(!listener.lines().contains("2 paused"));
  worker.start(countingJob(1), Worker::Start::Paused);
  QVERIFY(listener.waitFor("3 paused"));
  worker.resume();
  QVERIFY(listener.waitForEnd(3));
  QCOMPARE(listener.lines().last(), "3 finished");
}

void tst_worker::aStoppedJobThatLingersGetsNoCommands() {
  RecordingListener listener;
  std::atomic<bool> release = false;
  Worker worker(listener);
  worker.start(job([&](Control& control) {
    control.report(0.0, "running");
    release.wait(false);
  }));
  QVERIFY(listener.waitFor("1 progressed: running"));
  worker.stop();
  worker.start(countingJob(1), Worker::Start::Paused);
  worker.stepOnce();  // is for the new job, although the old one has not ended yet
  release = true;
  release.notify_all();
  QVERIFY(listener.waitForEnd(2));
  QCOMPARE(listener.lines().last(), "2 finished");
}

void tst_worker::commandsWithoutAJobDoNothing() {
  RecordingListener listener;
  Worker worker(listener);
  worker.pause();
  worker.stepOnce();
  worker.stop();
  worker.start(countingJob(3));
  QVERIFY(listener.waitForEnd(1));
  worker.resume();
  worker.pause();
  QCOMPARE(listener.lines().last(), "1 finished");
  QVERIFY(!listener.lines().contains("1 paused"));
}

void tst_worker::listenersMayUseTheWorker() {
  // Listeners may call the worker, because events are sent without a lock.
  RecordingListener listener;
  std::atomic<Worker*> target = nullptr;
  listener.onEvent = [&](const QString& line) {
    if (line == "1 paused") target.load()->resume();
    if (line == "1 progressed: step 2") target.load()->stop();
  };
  Worker worker(listener);
  target = &worker;
  worker.start(endlessJob(), Worker::Start::Paused);
  QVERIFY(listener.waitForEnd(1));
  QCOMPARE(listener.lines().last(), "1 cancelled");
}

void tst_worker::finishWaitsForTheRunningJob() {
  RecordingListener listener;
  Worker worker(listener);
  std::atomic<bool> isWritten = false;
  worker.start(job([&](Control& control) {
    control.report(0.0, "writing");
    while (!control.stopRequested()) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    isWritten = true;
  }));
  worker.start(job([](Control&) {}, "queued"));
  QVERIFY(listener.waitFor("1 progressed: writing"));
  worker.finish();
  QVERIFY(isWritten);
  QCOMPARE(listener.lines().last(), QStringLiteral("2 cancelled"));
}

void tst_worker::anIdleWorkerCanBeDestroyed() {
  RecordingListener listener;
  { Worker worker(listener); }
  QCOMPARE(listener.lines(), QStringList());
}

void tst_worker::isDestroyedWhilePaused() {
  RecordingListener listener;
  {
    Worker worker(listener);
    worker.start(endlessJob(), Worker::Start::Paused);
    QVERIFY(listener.waitFor("1 paused"));
  }
  QCOMPARE(listener.lines(), (QStringList{"1 started: job", "1 paused", "1 cancelled"}));
}

void tst_worker::isDestroyedWhileRunningWithAQueue() {
  RecordingListener listener;
  {
    Worker worker(listener);
    worker.start(endlessJob());
    worker.start(endlessJob());
    worker.start(endlessJob(), Worker::Start::Paused);
    QVERIFY(listener.waitFor("1 progressed: step 3"));
  }
  for (const Generation generation : {1, 2, 3}) QCOMPARE(listener.ends(generation), 1);
  QCOMPARE(listener.lines().last(), "3 cancelled");
}

void tst_worker::survivesManyRandomCommands() {
  RecordingListener listener;
  Generation last = 0;
  {
    Worker worker(listener);
    std::minstd_rand random(20260101);
    for (int command = 0; command < 5000; ++command) {
      switch (random() % 8) {
        case 0:
          last = worker.start(countingJob(2));
          break;
        case 1:
          last = worker.start(countingJob(2), Worker::Start::Paused);
          break;
        case 2:
          worker.stop();
          break;
        case 3:
          worker.pause();
          break;
        case 4:
          worker.resume();
          break;
        case 5:
          worker.stepOnce();
          break;
        case 6:
          last = worker.start(job([](Control&) { throw 1; }));
          break;
        case 7:
          std::this_thread::yield();
          break;
      }
    }
  }
  QVERIFY(last > 1000);
  const QStringList lines = listener.lines();
  Generation open = 0;
  Generation previous = 0;
  for (const QString& line : lines) {
    const auto generation = line.section(' ', 0, 0).toULongLong();
    const QString event = line.section(' ', 1, 1).remove(':');
    if (event == "started") {
      QCOMPARE(open, Generation(0));
      QCOMPARE(generation, previous + 1);
      open = previous = generation;
      continue;
    }
    QCOMPARE(generation, open);
    if (event == "finished" || event == "cancelled" || event == "failed") open = 0;
  }
  QCOMPARE(open, Generation(0));
  QCOMPARE(previous, last);
}

void tst_worker::inlineWorkerRunsOnTheCallersThread() {
  RecordingListener listener;
  InlineWorker worker(listener);
  std::thread::id thread;
  worker.run(job([&](Control&) { thread = std::this_thread::get_id(); }));
  QCOMPARE(thread, std::this_thread::get_id());
}

void tst_worker::inlineWorkerNeverPauses() {
  RecordingListener listener;
  InlineWorker worker(listener);
  int passages = 0;
  worker.run(job([&](Control& control) {
    while (passages < 3 && control.pass()) ++passages;
  }));
  QCOMPARE(passages, 3);
  QCOMPARE(listener.lines(), (QStringList{"1 started: job", "1 finished"}));
}

void tst_worker::inlineWorkerStopsFromAnotherThread() {
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

void tst_worker::inlineWorkerStopAppliesToLaterJobs() {
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

EQUIPATCH_TEST(tst_worker)
#include "tst_worker.moc"
