// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/kernel/row_operations.h"
#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

/// Values of every size from underflow to overflow, and midpoints between neighbouring
/// values of bfloat16 and of float16.
std::vector<float> samples(std::int64_t count) {
  std::vector<float> all = Source(3).vector<float>(count);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = std::ldexp(all[i], static_cast<int>(i % 280) - 140);
    if (i % 5 == 0) all[i] = std::ldexp(1.0F + 0x1p-8F, static_cast<int>(i % 30) - 15);
    if (i % 5 == 1) all[i] = std::ldexp(1.0F + 0x3p-11F, static_cast<int>(i % 30) - 15);
  }
  return all;
}

template <typename Real>
std::vector<Real> extremes() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> all;
  for (int repeat = 0; repeat < 7; ++repeat)
    for (const Real x : {Real{0}, -Real{0}, Limits::max(), Limits::lowest(),
                         Limits::min(), Limits::denorm_min(), Real{1}})
      all.push_back(x);
  return all;
}

template <typename Real>
bool findsNonFiniteAnywhere() {
  using Limits = std::numeric_limits<Real>;
  for (std::size_t place = 0; place < extremes<Real>().size(); ++place)
    for (const Real bad :
         {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
      std::vector<Real> x = extremes<Real>();
      x[place] = bad;
      if (allFinite(x)) return false;
    }
  return true;
}

}  // namespace

/// roundElements and allFinite.
class tst_round_elements : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void roundsToTheNearest_data();
  void roundsToTheNearest();
  void roundingKeepsInfinityAndNaN();
  void anEmptySpanIsFinite();
  void extremeNumbersCountAsFinite();
  void anInfinityOrNaNIsFoundAnywhere();
};

void tst_round_elements::roundsToTheNearest_data() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<int>("count");
  for (const DType dtype : {DType::F32, DType::BF16, DType::F16})
    for (const int count : {0, 1, 17, 600, 30'001})
      QTest::addRow("%s, %d", std::string(torchName(dtype)).c_str(), count)
          << static_cast<int>(dtype) << count;
}

void tst_round_elements::roundsToTheNearest() {
  QFETCH(int, dtype);
  QFETCH(int, count);
  const auto type = static_cast<DType>(dtype);
  std::vector<float> values = samples(count);
  const std::vector<float> before = values;
  std::vector<float> rounded(values.size());
  roundElements(type, values, rounded);
  QVERIFY(values == before);
  for (std::size_t i = 0; i < values.size(); ++i)
    QVERIFY(rounded[i] == static_cast<float>(nearestOf(type, values[i])));
  roundElements(type, values, values);  // in place
  QVERIFY(values == rounded);
}

void tst_round_elements::roundingKeepsInfinityAndNaN() {
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

void tst_round_elements::anEmptySpanIsFinite() {
  QVERIFY(allFinite(std::span<const float>()));
  QVERIFY(allFinite(std::span<const double>()));
}

void tst_round_elements::extremeNumbersCountAsFinite() {
  QVERIFY(allFinite(extremes<float>()));
  QVERIFY(allFinite(extremes<double>()));
}

void tst_round_elements::anInfinityOrNaNIsFoundAnywhere() {
  QVERIFY(findsNonFiniteAnywhere<float>());
  QVERIFY(findsNonFiniteAnywhere<double>());
}

EQUIPATCH_TEST(tst_round_elements)
#include "tst_round_elements.moc"
