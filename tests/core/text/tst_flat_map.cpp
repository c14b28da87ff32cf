// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/flat_map.h"

#include <random>
#include <unordered_map>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_flat_map : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void agreesWithTheStandardMap();
  void keysCannotBeChosenToCollide();
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

/// The keys have equal low bits after multiplication by 2^64 / φ (Fibonacci hashing).
void tst_flat_map::keysCannotBeChosenToCollide() {
  constexpr std::uint64_t kKeys = 20'000;
  const auto seconds = [](const auto& keyOf) {
    return equipatch::test::processorSeconds([&] {
      FlatMap<int> map;
      for (std::uint64_t i = 1; i <= kKeys; ++i) map.put(keyOf(i), 1);
      QCOMPARE(map.size(), std::size_t{kKeys});
    });
  };
  const double ordinary = seconds([](std::uint64_t i) { return i << 32 | i % 100; });
  const double chosen = seconds([](std::uint64_t i) {
    std::uint64_t hash = i << 20;
    hash ^= hash >> 32;
    const std::uint64_t key = hash * equipatch::test::inverse(0x9E3779B97F4A7C15u);
    return key ^ (key >> 32);
  });
  QVERIFY2(chosen < 20 * ordinary,
           qPrintable(QString("%1 s instead of %2 s").arg(chosen).arg(ordinary)));
}

EQUIPATCH_TEST(tst_flat_map)
#include "tst_flat_map.moc"
