// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/flat_map.h"

#include <random>
#include <unordered_map>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_flat_map : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void agreesWithTheStandardMap();
};

void tst_flat_map::agreesWithTheStandardMap() {
  std::mt19937_64 random(7);
  std::unordered_map<std::uint64_t, int> expected;
  FlatMap<int> map;
  QVERIFY(!map.find(0));
  for (int i = 0; i < 20000; ++i) {
    // Few distinct keys, so that values are replaced too; both halves of the key matter.
    const std::uint64_t key = (random() % 100) << 32 | (random() % 100);
    expected[key] = i;
    map.put(key, i);
  }
  QCOMPARE(map.size(), expected.size());
  for (std::uint64_t high = 0; high < 101; ++high)
    for (std::uint64_t low = 0; low < 101; ++low) {
      const auto entry = expected.find(high << 32 | low);
      const int* found = map.find(high << 32 | low);
      QCOMPARE(found != nullptr, entry != expected.end());
      if (found) QCOMPARE(*found, entry->second);
    }
}

EQUIPATCH_TEST(tst_flat_map)
#include "tst_flat_map.moc"
