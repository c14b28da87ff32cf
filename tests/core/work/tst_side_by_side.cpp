// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/side_by_side.h"

#include <algorithm>
#include <future>
#include <latch>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_side_by_side : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void deliversEachTaskOnceOnTheCallersThread_data();
  void deliversEachTaskOnceOnTheCallersThread();
  void tasksRunAtTheSameTime();
  void aTaskAdvancesProgressByItsShare();
  void progressNeverGoesBack();
  void aFailureStopsTheOthers();
  void aStopEndsEveryTask();
  void aStopAfterTheLastTaskIsReported();
  void aDeliveryThatThrowsEndsTheGroup();
};

void tst_side_by_side::deliversEachTaskOnceOnTheCallersThread_data() {
  QTest::addColumn<int>("count");
  QTest::addColumn<int>("threads");
  QTest::newRow("nothing to do") << 0 << 2;
  QTest::newRow("one task") << 1 << 4;
  QTest::newRow("one thread") << 20 << 1;
  QTest::newRow("more tasks than threads") << 500 << 3;
}

void tst_side_by_side::deliversEachTaskOnceOnTheCallersThread() {
  QFETCH(const int, count);
  QFETCH(const int, threads);
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::size_t> delivered;
  bool isElsewhere = true, isNumbered = true, isHere = true;
  const auto compute = [&](std::size_t task, int thread, Progress&) -> Delivery {
    const bool elsewhere = std::this_thread::get_id() != caller;
    const bool numbered = thread >= 0 && thread < threads;
    return [&, task, elsewhere, numbered] {
      isElsewhere = isElsewhere && elsewhere;
      isNumbered = isNumbered && numbered;
      isHere = isHere && std::this_thread::get_id() == caller;
      delivered.push_back(task);
    };
  };
  SilentProgress silent;
  runSideBySide({.count = std::size_t(count), .threads = threads, .stop = {}}, compute,
                silent);
  QVERIFY(isElsewhere && isNumbered && isHere);
  std::ranges::sort(delivered);
  std::vector<std::size_t> all(std::size_t(count), 0);
  std::iota(all.begin(), all.end(), 0);
  QCOMPARE(delivered, all);
}

/// Each task waits until all three have begun.
void tst_side_by_side::tasksRunAtTheSameTime() {
  std::latch begun(3);
  int delivered = 0;
  SilentProgress silent;
  runSideBySide(
      {.count = 3, .threads = 3, .stop = {}},
      [&](std::size_t, int, Progress&) -> Delivery {
        begun.arrive_and_wait();
        return [&] { ++delivered; };
      },
      silent);
  QCOMPARE(delivered, 3);
}

namespace {

/// Remembers the first fraction that is not 0.
struct FirstFraction final : Progress {
  void report(double fraction, std::string_view) override {
    if (fraction > 0.0 && !isKnown) promise.set_value(fraction);
    isKnown = isKnown || fraction > 0.0;
  }
  bool stopRequested() const override { return false; }

  std::promise<double> promise;
  bool isKnown = false;
};

}  // namespace

void tst_side_by_side::aTaskAdvancesProgressByItsShare() {
  FirstFraction first;
  auto known = first.promise.get_future();
  double fraction = 0.0;
  runSideBySide(
      {.count = 4, .threads = 1, .stop = {}},
      [&](std::size_t task, int, Progress& progress) -> Delivery {
        progress.report(0.5, "half");
        if (task == 0) fraction = known.get();
        return [] {};
      },
      first);
  QCOMPARE(fraction, 0.125);
}

void tst_side_by_side::progressNeverGoesBack() {
  test::Patience reports;
  runSideBySide(
      {.count = 4, .threads = 2, .stop = {}},
      [](std::size_t task, int, Progress& progress) -> Delivery {
        progress.report(0.5, "half");
        progress.report(0.25, "half");  // never goes back
        if (task % 2 == 0) progress.report(1.0, "half");
        return [] {};
      },
      reports);
  QVERIFY(std::ranges::is_sorted(reports.fractions));
  QVERIFY(std::abs(reports.fractions.back() - 1.0) < 1e-12);
  QCOMPARE(reports.labels.back(), std::string("half"));
}

/// The other tasks run until their progress asks them to stop.
void tst_side_by_side::aFailureStopsTheOthers() {
  std::size_t last = 0;
  SilentProgress silent;
  const auto run = [&] {
    runSideBySide(
        {.count = 100, .threads = 3, .stop = {}},
        [&](std::size_t task, int, Progress& progress) -> Delivery {
          if (task == 2) throw badInput("the third task failed");
          while (!progress.stopRequested()) std::this_thread::yield();
          return [&last, task] { last = std::max(last, task); };
        },
        silent);
  };
  QCOMPARE(test::errorOf(run), QString("the third task failed"));
  QVERIFY(last < 3);
}

void tst_side_by_side::aStopEndsEveryTask() {
  std::stop_source source;
  SilentProgress silent;
  std::latch begun(2);
  int delivered = 0;
  const auto run = [&] {
    runSideBySide(
        {.count = 50, .threads = 2, .stop = source.get_token()},
        [&](std::size_t, int, Progress& progress) -> Delivery {
          begun.arrive_and_wait();
          source.request_stop();
          while (!progress.stopRequested()) std::this_thread::yield();
          return [&] { ++delivered; };
        },
        silent);
  };
  try {
    run();
    QFAIL("a stopped group must not return");
  } catch (const Error& error) {
    QCOMPARE(error.kind(), ErrorKind::Cancelled);
  }
  QCOMPARE(delivered, 2);
}

void tst_side_by_side::aStopAfterTheLastTaskIsReported() {
  test::StoppedProgress stopped;
  int delivered = 0;
  const auto run = [&] {
    runSideBySide(
        {.count = 3, .threads = 2, .stop = {}},
        [&](std::size_t, int, Progress&) -> Delivery { return [&] { ++delivered; }; },
        stopped);
  };
  QCOMPARE(test::errorOf(run), test::errorOf([&] { stopped.throwIfStopped(); }));
  QCOMPARE(delivered, 3);
}

void tst_side_by_side::aDeliveryThatThrowsEndsTheGroup() {
  SilentProgress silent;
  const auto run = [&] {
    runSideBySide(
        {.count = 1000, .threads = 2, .stop = {}},
        [](std::size_t task, int, Progress& progress) -> Delivery {
          while (task > 0 && !progress.stopRequested()) std::this_thread::yield();
          return [] { throw badInput("the result cannot be kept"); };
        },
        silent);
  };
  QCOMPARE(test::errorOf(run), QString("the result cannot be kept"));
}

EQUIPATCH_TEST(tst_side_by_side)
#include "tst_side_by_side.moc"
