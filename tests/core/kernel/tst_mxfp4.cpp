// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/mxfp4.h"

#include <array>
#include <cmath>
#include <vector>

#include "core/base/random.h"
#include "core/kernel/half_float.h"
#include "core/kernel/weight_products.h"
#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// Random codes, and scales in [least, least + scaleCount). There are gaps between rows.
struct RandomMxfp4 {
  RandomMxfp4(std::int64_t outputs, std::int64_t inputs, std::uint8_t least,
              int scaleCount)
      : matrix{.blockStride = inputs, .scaleStride = 3 * inputs / 32} {
    Random random(7);
    blocks.resize(static_cast<std::size_t>(outputs * inputs));
    scales.resize(static_cast<std::size_t>(3 * outputs * inputs / 32));
    for (std::uint8_t& byte : blocks) byte = static_cast<std::uint8_t>(random.below(256));
    for (std::uint8_t& scale : scales)
      scale = static_cast<std::uint8_t>(
          least + random.below(static_cast<std::size_t>(scaleCount)));
    matrix.blocks = blocks.data();
    matrix.scales = scales.data();
    matrix.outputs = outputs;
    matrix.inputs = inputs;
  }

  /// By the definition of E2M1 (one sign bit, two exponent bits, one mantissa bit), times
  /// the block's scale.
  double value(std::int64_t row, std::int64_t column) const {
    const auto at = static_cast<std::size_t>(row * matrix.blockStride + column / 2);
    const unsigned code = (blocks[at] >> (column % 2 == 0 ? 0 : 4)) & 15U;
    const int exponent = static_cast<int>(code >> 1U & 3U);
    const double mantissa = 0.5 * (code & 1U);
    const double size =
        exponent == 0 ? mantissa : std::ldexp(1.0 + mantissa, exponent - 1);
    const auto block = static_cast<std::size_t>(row * matrix.scaleStride + column / 32);
    return std::ldexp(code & 8U ? -size : size, static_cast<int>(scales[block]) - 127);
  }

  Mxfp4Matrix matrix;
  std::vector<std::uint8_t> blocks, scales;
};

double widened(std::uint16_t bits, DType dtype) {
  return static_cast<double>(dtype == DType::BF16 ? bfloat16Value(bits)
                                                  : float16Value(bits));
}

void compareWithTheFormat() {
  const RandomMxfp4 packed(5, 96, 0, 252);
  std::vector<float> narrow(5 * 96);
  std::vector<double> wide(5 * 96);
  std::vector<std::uint16_t> brain(5 * 96);
  expandRows(packed.matrix, {0, 5}, DType::F32, narrow.data());
  expandRows(packed.matrix, {0, 5}, DType::F64, wide.data());
  expandRows(packed.matrix, {0, 5}, DType::BF16, brain.data());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const double expected = packed.value(at / 96, at % 96);
    QCOMPARE(wide[i], expected);
    QCOMPARE(static_cast<double>(narrow[i]), expected);
    QCOMPARE(widened(brain[i], DType::BF16), expected);
  }
}

template <typename T>
void compareWithExpanded(const Mxfp4Matrix& W, DType dtype) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(W.outputs * W.inputs) *
                               byteSize(dtype));
  expandRows(W, {0, W.outputs}, dtype, bytes.data());
  const WeightMatrix expanded{bytes.data(), dtype, W.outputs, W.inputs};
  for (const std::int64_t rows : {1, 3, 7})
    for (const SummationOrder order : test::kOrders) {
      const auto x = test::Source(3).vector<T>(rows * W.inputs);
      std::vector<T> y(static_cast<std::size_t>(rows * W.outputs)), expected(y);
      fewRowProduct(W, dtype, x.data(), rows, y.data(), order);
      fewRowProduct(expanded, x.data(), rows, expected.data(), order);
      QVERIFY2(test::sameBits(y, expected), torchName(dtype).data());
      QVERIFY(y.back() != 0);
    }
  const auto u = test::Source(4).vector<T>(W.outputs);
  const auto w = test::Source(5).vector<T>(W.inputs);
  const auto x = test::Source(6).vector<T>(W.inputs);
  for (const SummationOrder order : test::kOrders) {
    std::vector<T> y(static_cast<std::size_t>(W.outputs)), expected(y), plain(y);
    materialisedProduct(W, dtype, u.data(), w.data(), x.data(), y.data(), order);
    materialisedProduct(expanded, u.data(), w.data(), x.data(), expected.data(), order);
    fewRowProduct(expanded, x.data(), 1, plain.data(), order);
    QVERIFY2(test::sameBits(y, expected), torchName(dtype).data());
    QVERIFY(!test::sameBits(y, plain));
  }
}

}  // namespace

class tst_mxfp4 : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void valuesAreThoseOfTheFormat();
  void expansionToFloat16RoundsToTheNearest_data();
  void expansionToFloat16RoundsToTheNearest();
  void someRowsOfAMatrixAreExpanded();
  void largestScalesGiveInfinityOrNaN();
  void productsEqualThoseOfExpandedMatrices();
  void squaredNormIsTheSumOfSquaredValues();
};

/// Some of the values are subnormal in bfloat16 and float32.
void tst_mxfp4::valuesAreThoseOfTheFormat() {
  for (const InstructionSet set : test::runnableSets()) {
    const test::ForcedSet forced(set);
    compareWithTheFormat();
  }
}

void tst_mxfp4::expansionToFloat16RoundsToTheNearest_data() {
  QTest::addColumn<int>("least");
  QTest::addColumn<bool>("exact");
  QTest::newRow("usual scales") << 112 << true;
  QTest::newRow("scales below float16") << 96 << false;
}

void tst_mxfp4::expansionToFloat16RoundsToTheNearest() {
  QFETCH(int, least);
  QFETCH(bool, exact);
  const RandomMxfp4 packed(4, 64, static_cast<std::uint8_t>(least), 12);
  std::vector<std::uint16_t> half(4 * 64);
  expandRows(packed.matrix, {0, 4}, DType::F16, half.data());
  bool equal = true;
  for (std::size_t i = 0; i < half.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const double expected = packed.value(at / 64, at % 64);
    const double found = widened(half[i], DType::F16);
    equal = equal && found == expected;
    QVERIFY(std::abs(found - expected) <= std::ldexp(1.0, -25));
  }
  QCOMPARE(equal, exact);
}

void tst_mxfp4::someRowsOfAMatrixAreExpanded() {
  const RandomMxfp4 packed(700, 64, 120, 10);
  std::vector<float> rows(300 * 64);
  expandRows(packed.matrix, {250, 550}, DType::F32, rows.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    QCOMPARE(static_cast<double>(rows[i]), packed.value(250 + at / 64, at % 64));
  }
}

/// 6 · 2^127 is finite in float64 but not in bfloat16. The scale 255 means NaN.
void tst_mxfp4::largestScalesGiveInfinityOrNaN() {
  for (const InstructionSet set : test::runnableSets()) {
    const test::ForcedSet forced(set);
    std::array<std::uint8_t, 32> blocks;
    blocks.fill(0x70);
    const std::array<std::uint8_t, 2> scales{254, 255};
    const Mxfp4Matrix W{blocks.data(), scales.data(), 32, 2, 1, 64};
    std::array<double, 64> wide;
    std::array<std::uint16_t, 64> brain;
    expandRows(W, {0, 1}, DType::F64, wide.data());
    expandRows(W, {0, 1}, DType::BF16, brain.data());
    QCOMPARE(wide[0], 0.0);
    QCOMPARE(wide[1], std::ldexp(6.0, 127));
    QVERIFY(std::isinf(bfloat16Value(brain[1])));
    for (const std::size_t in255 : {32U, 33U}) {
      QVERIFY(std::isnan(wide[in255]));
      QVERIFY(std::isnan(bfloat16Value(brain[in255])));
    }
  }
}

/// Patched products expand 24 rows at a time; 301 is no multiple of 24. The matrix is
/// large enough for two threads.
void tst_mxfp4::productsEqualThoseOfExpandedMatrices() {
  const RandomMxfp4 packed(301, 1760, 120, 10);
  for (const InstructionSet set : test::runnableSets())
    for (const int threads : {1, 2}) {
      const test::ForcedSet forced(set);
      const test::Threads some(threads);
      for (const DType dtype : test::kDtypes<float>)
        compareWithExpanded<float>(packed.matrix, dtype);
      compareWithExpanded<double>(packed.matrix, DType::F64);
    }
}

void tst_mxfp4::squaredNormIsTheSumOfSquaredValues() {
  const RandomMxfp4 packed(9, 128, 110, 30);
  double sum = 0.0;
  for (std::int64_t row = 0; row < 9; ++row)
    for (std::int64_t column = 0; column < 128; ++column)
      sum += packed.value(row, column) * packed.value(row, column);
  QVERIFY(std::abs(squaredFrobeniusNorm(packed.matrix) / sum - 1.0) < 1e-13);
}

EQUIPATCH_TEST(tst_mxfp4)
#include "tst_mxfp4.moc"
