#include "trainer/training/shard_threads.h"

#include <atomic>
#include <latch>
#include <stdexcept>
#include <vector>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_shard_threads : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyShardIsComputedOnce_data() {
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 7}) QTest::addRow("%d threads", threads) << threads;
  }
  void everyShardIsComputedOnce() {
    QFETCH(int, threads);
    std::vector<int> counts(5);
    inShards(counts.size(), threads, [&](std::size_t shard) { ++counts[shard]; });
    QCOMPARE(counts, std::vector<int>(5, 1));
  }

  /// Each waits for the other: on one thread this would never end.
  void shardsAreComputedSideBySide() {
    std::latch both(2);
    inShards(2, 2, [&](std::size_t) { both.arrive_and_wait(); });
    QVERIFY(both.try_wait());
  }

  void theFirstExceptionComesBackWhenAllAreDone() {
    std::atomic<int> done = 0;
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, inShards(4, 2, [&](std::size_t shard) {
                               ++done;
                               if (shard == 1) throw std::runtime_error("shard 1");
                             }));
    QCOMPARE(done.load(), 4);
  }
};

EQUIPATCH_TEST(tst_shard_threads)
#include "tst_shard_threads.moc"
