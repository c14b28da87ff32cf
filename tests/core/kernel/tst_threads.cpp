// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/threads.h"

#include <omp.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct Seen {
  std::vector<int> visits;
  int ranges = 0;
  std::set<std::thread::id> threads;
};

Seen visit(WorkShape shape) {
  Seen seen;
  seen.visits.resize(static_cast<std::size_t>(shape.items));
  std::mutex mutex;
  parallelRanges(shape, [&](WorkRange range) {
    const std::scoped_lock lock(mutex);
    ++seen.ranges;
    seen.threads.insert(std::this_thread::get_id());
    for (std::int64_t item = range.begin; item < range.end; ++item) ++seen.visits[item];
  });
  return seen;
}

/// Sets the maximum size of OpenMP's teams while it exists.
class OpenMpThreads {
 public:
  explicit OpenMpThreads(int count) { omp_set_num_threads(count); }
  ~OpenMpThreads() { omp_set_num_threads(m_before); }
  OpenMpThreads(const OpenMpThreads&) = delete;
  OpenMpThreads& operator=(const OpenMpThreads&) = delete;

 private:
  int m_before = omp_get_max_threads();
};

}  // namespace

class tst_threads : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { setKernelThreads(1); }
  void everyItemIsVisitedOnceByNoMoreThreadsThanSet() {
    for (int threads : {1, 2, 3, 5}) {
      const test::Threads count(threads);
      for (std::int64_t items : {1, 2, 3, 7, 64, 1001}) {
        const Seen seen = visit({items, 10'000'000});
        QCOMPARE(seen.visits, std::vector<int>(static_cast<std::size_t>(items), 1));
        QVERIFY(std::ssize(seen.threads) <= threads);
      }
    }
  }

  void largeWorkUsesBothThreads() {
    const test::Threads count(2);
    // The first two ranges wait for each other, so one thread alone would hang.
    std::latch together(2);
    std::atomic<int> entered = 0;
    std::mutex mutex;
    std::set<std::thread::id> threads;
    parallelRanges({1000, 10'000'000}, [&](WorkRange) {
      if (entered++ < 2) together.arrive_and_wait();
      const std::scoped_lock lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
    QCOMPARE(threads.size(), std::size_t{2});
  }

  void rangesBeginAtMultiplesOfTheGrain() {
    const test::Threads count(3);
    for (std::int64_t items : {59, 60, 61, 119, 1000, 6912}) {
      std::atomic<std::int64_t> visited = 0, ranges = 0;
      std::atomic<bool> aligned = true;
      parallelRanges({items, 10'000'000, 60}, [&](WorkRange range) {
        ++ranges;
        if (range.begin % 60 != 0 || (range.end % 60 != 0 && range.end != items))
          aligned = false;
        visited += range.end - range.begin;
      });
      QVERIFY(aligned);
      QCOMPARE(ranges > 1, items > 60);
      QCOMPARE(visited.load(), items);
    }
  }

  void smallWorkStaysOnTheCallingThread() {
    const test::Threads count(2);
    const Seen seen = visit({64, 64 * 4});
    QCOMPARE(seen.ranges, 1);
    QVERIFY(seen.threads.contains(std::this_thread::get_id()));
  }

  void emptyWorkVisitsNoItem() {
    const test::Threads count(2);
    std::atomic<std::int64_t> visited = 0;
    parallelRanges({0, 10'000'000},
                   [&](WorkRange range) { visited += range.end - range.begin; });
    QCOMPARE(visited.load(), 0);
  }

  void threadCountIsAtLeastOne() {
    const test::Threads count(4);
    QCOMPARE(kernelThreads(), 4);
    setKernelThreads(0);
    QCOMPARE(kernelThreads(), 1);
    setKernelThreads(-3);
    QCOMPARE(kernelThreads(), 1);
  }

  void libraryThreadsVisitEveryItemOnce_data();
  void libraryThreadsVisitEveryItemOnce();
  void libraryRangesAreNotSmallerThanTheGrain();
  void withoutLibraryThreadsThereIsOneRange();
};

void tst_threads::libraryThreadsVisitEveryItemOnce_data() {
  QTest::addColumn<int>("items");
  QTest::addColumn<int>("threads");
  for (const int items : {0, 1, 2, 7, 100, 1001})
    for (const int threads : {1, 2, 5})
      QTest::addRow("%d on %d", items, threads) << items << threads;
}

void tst_threads::libraryThreadsVisitEveryItemOnce() {
  QFETCH(int, items);
  QFETCH(int, threads);
  setKernelThreads(threads);
  const OpenMpThreads team(threads);  // however many processors there are
  std::vector<std::atomic<int>> visits(static_cast<std::size_t>(items));
  onLibraryThreads(items, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t item = begin; item < end; ++item)
      ++visits[static_cast<std::size_t>(item)];
  });
  for (const std::atomic<int>& visit : visits) QCOMPARE(visit.load(), 1);
}

void tst_threads::libraryRangesAreNotSmallerThanTheGrain() {
  setKernelThreads(8);
  const OpenMpThreads eight(8);
  std::atomic<int> ranges = 0;
  std::atomic<bool> small = false;
  onLibraryThreads(100, 30, [&](std::int64_t begin, std::int64_t end) {
    ++ranges;
    if (end - begin < 30) small = true;
  });
  QVERIFY(ranges > 1 && ranges <= 3);
  QVERIFY(!small);
}

void tst_threads::withoutLibraryThreadsThereIsOneRange() {
  setKernelThreads(8);
  const OpenMpThreads eight(8);
  const auto ranges = [] {
    std::atomic<int> count = 0;
    onLibraryThreads(100, 1, [&](std::int64_t, std::int64_t) { ++count; });
    return count.load();
  };
  const int before = ranges();
  QVERIFY(before > 1);
  {
    const NoLibraryThreads alone;
    QCOMPARE(ranges(), 1);
  }
  QCOMPARE(ranges(), before);
}

EQUIPATCH_TEST(tst_threads)
#include "tst_threads.moc"
