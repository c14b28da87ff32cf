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

namespace {

/// The state whose splitMix64 is `output`; anyone can compute it.
constexpr std::uint64_t stateOf(std::uint64_t output) {
  const auto unshifted = [](std::uint64_t value, int by) {
    std::uint64_t result = value;
    for (int known = by; known < 64; known += by) result = value ^ (result >> by);
    return result;
  };
  std::uint64_t z = unshifted(output, 31) * equipatch::test::inverse(0x94d049bb133111ebu);
  z = unshifted(z, 27) * equipatch::test::inverse(0xbf58476d1ce4e5b9u);
  return unshifted(z, 30) - kSplitMixStep;
}
static_assert(splitMix64(stateOf(0x123456789abcdef0u)) == 0x123456789abcdef0u);

}  // namespace

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

/// Without this process's seed, the low bits of the chosen keys' hashes would be zero:
/// all keys would begin their search at the same slot.
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
  const double chosen = seconds([](std::uint64_t i) { return stateOf(i << 20); });
  QVERIFY2(chosen < 20 * ordinary,
           qPrintable(QString("%1 s instead of %2 s").arg(chosen).arg(ordinary)));
}

EQUIPATCH_TEST(tst_flat_map)
#include "tst_flat_map.moc"
