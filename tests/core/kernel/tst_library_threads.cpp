#include "core/kernel/threads.h"

#include <atomic>
#include <vector>

#include "core/kernel/weight_products.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_library_threads : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { setKernelThreads(1); }
  void everyItemOnce_data();
  void everyItemOnce();
  void rangesAreNotSmallerThanTheGrain();
  void aloneThereIsOneRange();
};

void tst_library_threads::everyItemOnce_data() {
  QTest::addColumn<int>("items");
  QTest::addColumn<int>("threads");
  for (const int items : {0, 1, 2, 7, 100, 1001})
    for (const int threads : {1, 2, 5})
      QTest::addRow("%d on %d", items, threads) << items << threads;
}

void tst_library_threads::everyItemOnce() {
  QFETCH(int, items);
  QFETCH(int, threads);
  setKernelThreads(threads);
  std::vector<std::atomic<int>> visits(static_cast<std::size_t>(items));
  onLibraryThreads(items, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t item = begin; item < end; ++item)
      ++visits[static_cast<std::size_t>(item)];
  });
  for (const std::atomic<int>& visit : visits) QCOMPARE(visit.load(), 1);
}

void tst_library_threads::rangesAreNotSmallerThanTheGrain() {
  setKernelThreads(8);
  std::atomic<int> ranges = 0;
  std::atomic<bool> small = false;
  onLibraryThreads(100, 30, [&](std::int64_t begin, std::int64_t end) {
    ++ranges;
    if (end - begin < 30) small = true;
  });
  QVERIFY(ranges <= 3);
  QVERIFY(!small);
}

void tst_library_threads::aloneThereIsOneRange() {
  setKernelThreads(8);
  const auto ranges = [] {
    std::atomic<int> count = 0;
    onLibraryThreads(100, 1, [&](std::int64_t, std::int64_t) { ++count; });
    return count.load();
  };
  const int before = ranges();
  {
    const NoLibraryThreads alone;
    QCOMPARE(ranges(), 1);
  }
  QCOMPARE(ranges(), before);
}

EQUIPATCH_TEST(tst_library_threads)
#include "tst_library_threads.moc"
