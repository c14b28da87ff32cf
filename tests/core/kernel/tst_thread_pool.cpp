// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/threads.h"

#include <latch>
#include <numeric>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// The number of calls for each chunk.
std::vector<int> visits(ThreadPool& pool, int helpers, std::uint32_t chunks) {
  std::vector<std::atomic<int>> counts(chunks);
  pool.run(helpers, chunks, [&](std::int64_t chunk) { ++counts[chunk]; });
  return {counts.begin(), counts.end()};
}

}  // namespace

class tst_thread_pool : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void everyChunkIsDoneOnceBeforeReturning() {
    ThreadPool pool;
    for (int round = 0; round < 2000; ++round) {
      const std::uint32_t chunks = 1 + round % 9;
      QCOMPARE(visits(pool, 1 + round / 500, chunks), std::vector<int>(chunks, 1));
    }
  }

  void resultsOfHelpersAreVisibleToTheCaller() {
    ThreadPool pool;
    for (int round = 1; round < 500; ++round) {
      // Not atomic, so that ThreadSanitizer reports missing synchronisation.
      std::vector<int> values(64);
      pool.run(2, 64, [&](std::int64_t chunk) { values[chunk] = round; });
      QCOMPARE(std::accumulate(values.begin(), values.end(), 0), 64 * round);
    }
  }

  void helpersRunChunksAtTheSameTime() {
    ThreadPool pool;
    // Three chunks that wait for each other need three threads.
    std::latch together(3);
    pool.run(2, 3, [&](std::int64_t) { together.arrive_and_wait(); });
    QVERIFY(together.try_wait());
  }

  void sleepingHelpersWake() {
    ThreadPool pool;
    QCOMPARE(visits(pool, 1, 4), std::vector<int>(4, 1));
    // Longer than a helper spins. Asleep or not, it must take a chunk.
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
    while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
    std::latch together(2);
    pool.run(1, 2, [&](std::int64_t) { together.arrive_and_wait(); });
    QVERIFY(together.try_wait());
  }

  void nestedCallsDoAllTheirChunks() {
    ThreadPool pool;
    std::atomic<int> inner = 0;
    pool.run(1, 4, [&](std::int64_t) { pool.run(1, 5, [&](std::int64_t) { ++inner; }); });
    QCOMPARE(inner.load(), 20);
  }

  void allChunksOfConcurrentCallersAreDone() {
    ThreadPool pool;
    std::atomic<int> done = 0;
    {
      std::vector<std::jthread> callers;
      for (int caller = 0; caller < 4; ++caller)
        callers.emplace_back([&] {
          for (int round = 0; round < 200; ++round)
            pool.run(2, 7, [&](std::int64_t) { ++done; });
        });
    }
    QCOMPARE(done.load(), 4 * 200 * 7);
  }

  void withoutHelpersTheCallerDoesAll() {
    ThreadPool pool;
    const auto caller = std::this_thread::get_id();
    bool elsewhere = false;
    pool.run(0, 10, [&](std::int64_t) {
      elsewhere = elsewhere || std::this_thread::get_id() != caller;
    });
    QVERIFY(!elsewhere);
    std::atomic<int> calls = 0;
    pool.run(1, 0, [&](std::int64_t) { ++calls; });
    QCOMPARE(calls.load(), 0);
  }
};

EQUIPATCH_TEST(tst_thread_pool)
#include "tst_thread_pool.moc"
