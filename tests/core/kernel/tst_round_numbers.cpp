#include "core/kernel/row_operations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

/// Of every size from underflow to overflow, and halfway between two numbers.
std::vector<float> numbers(std::int64_t count) {
  std::vector<float> all = Source(3).vector<float>(count);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = std::ldexp(all[i], static_cast<int>(i % 280) - 140);
    if (i % 5 == 0) all[i] = std::ldexp(1.0F + 0x1p-8F, static_cast<int>(i % 30) - 15);
    if (i % 5 == 1) all[i] = std::ldexp(1.0F + 0x3p-11F, static_cast<int>(i % 30) - 15);
  }
  return all;
}

}  // namespace

class tst_round_numbers : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theNearestOfEach_data();
  void theNearestOfEach();
  void whatIsNoNumberStaysNone();
};

void tst_round_numbers::theNearestOfEach_data() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<int>("count");
  for (const DType dtype : {DType::F32, DType::BF16, DType::F16})
    for (const int count : {0, 1, 17, 600, 30'001})
      QTest::addRow("%s, %d", std::string(torchName(dtype)).c_str(), count)
          << static_cast<int>(dtype) << count;
}

void tst_round_numbers::theNearestOfEach() {
  QFETCH(int, dtype);
  QFETCH(int, count);
  const auto type = static_cast<DType>(dtype);
  std::vector<float> values = numbers(count);
  const std::vector<float> before = values;
  std::vector<float> rounded(values.size());
  roundElements(type, values, rounded);
  QVERIFY(values == before);
  for (std::size_t i = 0; i < values.size(); ++i)
    QVERIFY(rounded[i] == static_cast<float>(nearestOf(type, values[i])));
  roundElements(type, values, values);  // in place
  QVERIFY(values == rounded);
}

void tst_round_numbers::whatIsNoNumberStaysNone() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const DType dtype : {DType::F32, DType::BF16, DType::F16}) {
    std::vector<float> values{kInfinity, -kInfinity,
                              std::numeric_limits<float>::quiet_NaN()};
    roundElements(dtype, values, values);
    QCOMPARE(values[0], kInfinity);
    QCOMPARE(values[1], -kInfinity);
    QVERIFY(std::isnan(values[2]));
  }
}

EQUIPATCH_TEST(tst_round_numbers)
#include "tst_round_numbers.moc"
