// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/weight_products.h"

#include <cmath>
#include <limits>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::Source;
using test::StoredMatrix;

namespace {

template <typename T>
struct Patch {
  std::vector<T> u, w;
};

/// round(W + u wᵀ), without the kernels.
template <typename T>
StoredMatrix patched(const StoredMatrix& W, const Patch<T>& patch) {
  Eigen::MatrixXd values = W.values;
  for (Eigen::Index output = 0; output < values.rows(); ++output)
    for (Eigen::Index input = 0; input < values.cols(); ++input) {
      // `volatile` keeps the compiler from fusing the product and the sum.
      const volatile T change = patch.u[output] * patch.w[input];
      const volatile T sum = static_cast<T>(W.values(output, input)) + change;
      values(output, input) = test::nearestOf(W.dtype, sum);
    }
  return test::stored(W.dtype, values);
}

/// round(W + u w) for a W of one column, read through its product with 1.
std::vector<float> patchedColumn(const StoredMatrix& W, const std::vector<float>& u,
                                 float w) {
  const float one = 1.0f;
  std::vector<float> y(u.size());
  materialisedProduct(W.weights(), u.data(), &w, &one, y.data());
  return y;
}

const std::pair<std::int64_t, std::int64_t> kShapes[] = {
    {1, 1}, {7, 13}, {64, 64}, {333, 129}, {9, 6912}, {500, 1152}};

}  // namespace

class tst_materialised_product : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void productIsThatOfTheStoredMatrix() {
    for (DType dtype : {DType::F32, DType::BF16, DType::F16}) checkProduct<float>(dtype);
    checkProduct<double>(DType::F64);
  }

  void aZeroPatchKeepsEvery16BitWeight() {
    for (DType dtype : {DType::BF16, DType::F16}) {
      StoredMatrix W = test::stored(dtype, Eigen::MatrixXd::Zero(65536, 1));
      for (unsigned bits = 0; bits < 65536; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        std::memcpy(W.bytes.data() + 2 * bits, &half, 2);
      }
      for (InstructionSet set : test::runnableSets()) {
        const test::ForcedSet forced(set);
        const auto y = patchedColumn(W, std::vector<float>(65536, -1.0f), 0.0f);
        for (unsigned bits = 0; bits < 65536; ++bits) {
          const double weight = test::decoded(dtype, bits);
          QVERIFY(std::isnan(weight) ? std::isnan(y[bits]) : y[bits] == weight);
        }
      }
    }
  }

  void tiesAndExtremesAreRoundedCorrectly() {
    Source source(5);
    std::vector<float> sums = {0.0f,
                               -0.0f,
                               0x1p-149f,
                               0x1p-133f,
                               0x1.8p-134f,
                               65504.0f,
                               65519.99f,
                               65520.0f,
                               65536.0f,
                               -1e30f,
                               0x1.fefp127f,
                               0x1.ffp127f,
                               0x1.fffffep127f,
                               0x1p-24f,
                               0x1p-25f,
                               0x1.8p-25f,
                               0x1.000002p-25f,
                               0x1.ffcp-15f,
                               0x1.ffep-15f,
                               0x1.fffp-15f,
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity()};
    // Midpoints between neighbouring 16-bit values, and the floats next to them.
    for (int step = 0; step < 64; ++step)
      for (float spacing : {0x1p-7f, 0x1p-10f}) {
        const float tie = 1.0f + (static_cast<float>(step) + 0.5f) * spacing;
        sums.insert(sums.end(),
                    {tie, -tie, std::nextafter(tie, 9.0f), std::nextafter(tie, 0.0f),
                     tie * 0x1p-16f, tie * 0x1p-130f});
      }
    for (float number : source.vector<float>(2000))
      sums.push_back(std::ldexp(number, static_cast<int>(number * 40)));
    for (DType dtype : {DType::BF16, DType::F16}) {
      const StoredMatrix W =
          test::stored(dtype, Eigen::MatrixXd::Zero(std::ssize(sums), 1));
      for (InstructionSet set : test::runnableSets()) {
        const test::ForcedSet forced(set);
        const auto y = patchedColumn(W, sums, 1.0f);
        for (std::size_t at = 0; at < sums.size(); ++at)
          QVERIFY2(y[at] == test::nearestOf(dtype, sums[at]),
                   test::described(set, W.weights()).c_str());
      }
    }
  }

  void nanIsRoundedToNaN() {
    const float quiet = std::numeric_limits<float>::quiet_NaN();
    // `low` is a signalling NaN. The bits of `high` would overflow to zero if `high` were
    // rounded to bfloat16 like a number.
    const float low = std::bit_cast<float>(0x7f800001u),
                high = std::bit_cast<float>(0xffffffffu);
    for (DType dtype : {DType::BF16, DType::F16}) {
      const StoredMatrix W = test::stored(dtype, Eigen::MatrixXd::Ones(4, 1));
      for (InstructionSet set : test::runnableSets()) {
        const test::ForcedSet forced(set);
        const auto y = patchedColumn(W, {quiet, low, high, 1.0f}, 1.0f);
        for (std::size_t row = 0; row < 4; ++row) QCOMPARE(std::isnan(y[row]), row < 3);
      }
    }
  }

  void paddingAddsNoNaNToAnInfiniteProduct() {
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> ones(13, 1.0f);
    for (DType dtype : {DType::F32, DType::BF16, DType::F16}) {
      const StoredMatrix W = test::stored(dtype, Eigen::MatrixXd::Ones(1, 13));
      for (InstructionSet set : test::runnableSets()) {
        const test::ForcedSet forced(set);
        float y = 0.0f;
        materialisedProduct(W.weights(), &infinity, ones.data(), ones.data(), &y);
        QVERIFY(y == infinity);
      }
    }
  }

  void unknownTypesAreRefused() {
    const float one = 1.0f;
    float y = 0.0f;
    const WeightMatrix W{&one, DType::I32, 1, 1};
    QVERIFY_ERROR(materialisedProduct(W, &one, &one, &one, &y), "int32");
  }

 private:
  template <typename T>
  static void checkProduct(DType dtype) {
    Source source(2);
    for (const auto& [outputs, inputs] : kShapes) {
      const StoredMatrix W = source.storedMatrix(dtype, outputs, inputs);
      const Patch<T> patch{source.vector<T>(outputs), source.vector<T>(inputs)};
      const StoredMatrix storedPatched = patched(W, patch);
      const auto x = source.vector<T>(inputs);
      for (InstructionSet set : test::runnableSets())
        for (SummationOrder order : {SummationOrder::Standard, SummationOrder::Alternate})
          for (int threads : {1, 2}) {
            const test::ForcedSet forced(set);
            const test::Threads count(threads);
            std::vector<T> expected(outputs), y(outputs, T{-1});
            fewRowProduct(storedPatched.weights(), x.data(), 1, expected.data(), order);
            materialisedProduct(W.weights(), patch.u.data(), patch.w.data(), x.data(),
                                y.data(), order);
            QVERIFY2(test::sameBits(y, expected),
                     test::described(set, W.weights()).c_str());
          }
    }
  }
};

EQUIPATCH_TEST(tst_materialised_product)
#include "tst_materialised_product.moc"
