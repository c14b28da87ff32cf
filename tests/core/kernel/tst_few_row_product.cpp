// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/weight_products.h"

#include <cmath>
#include <limits>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::kDtypes;
using test::kOrders;
using test::RowMajor;
using test::rowOf;
using test::Source;
using test::StoredMatrix;

namespace {

struct Size {
  std::int64_t outputs, inputs;
};
constexpr Size kSizes[] = {{1, 1},   {1, 3},    {7, 13},     {5, 16},   {9, 31},
                           {8, 33},  {64, 64},  {17, 257},   {3, 1000}, {333, 129},
                           {6, 512}, {13, 640}, {1000, 1152}};
template <typename T>
std::vector<T> product(const StoredMatrix& W, const std::vector<T>& x,
                       SummationOrder order = SummationOrder::Standard) {
  const std::int64_t rows = std::ssize(x) / W.values.cols();
  // No product has this value, so that unwritten elements are noticed.
  std::vector<T> y(static_cast<std::size_t>(rows * W.values.rows()), T{-12345678});
  fewRowProduct(W.weights(), x.data(), rows, y.data(), order);
  return y;
}

/// |y − x Wᵀ| ≤ γ |x| |W|ᵀ. A lane of the narrowest SIMD vector (two doubles) sums
/// inputs / 2 terms; γ is about half of the worst case of such a sum.
template <typename T>
bool agrees(const StoredMatrix& W, const std::vector<T>& x, const std::vector<T>& y) {
  const Eigen::Index inputs = W.values.cols(), rows = std::ssize(x) / inputs;
  const Eigen::MatrixXd X =
      Eigen::Map<const RowMajor<T>>(x.data(), rows, inputs).template cast<double>();
  const Eigen::MatrixXd exact = X * W.values.transpose();
  const double epsilon = std::numeric_limits<T>::epsilon();
  const Eigen::MatrixXd bound = (X.cwiseAbs() * W.values.cwiseAbs().transpose()) *
                                epsilon * (static_cast<double>(inputs) / 8 + 4);
  const Eigen::MatrixXd Y = Eigen::Map<const RowMajor<T>>(y.data(), rows, W.values.rows())
                                .template cast<double>();
  return ((Y - exact).cwiseAbs().array() <= bound.array()).all();
}

}  // namespace

class tst_few_row_product : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void agreesWithDoublePrecision() {
    checkAgreement<float>();
    checkAgreement<double>();
  }

  void rowsDoNotDependOnEachOther() {
    checkRows<float>();
    checkRows<double>();
  }

  void threadsDoNotChangeTheResult() {
    Source source(3);
    for (DType dtype : kDtypes<float>) {
      const StoredMatrix W = source.storedMatrix(dtype, 1003, 700);
      const std::vector<float> x = source.vector<float>(5 * 700);
      for (InstructionSet set : test::runnableSets())
        for (SummationOrder order : kOrders) {
          const test::ForcedSet forced(set);
          std::vector<std::vector<float>> results;
          for (int threads : {1, 2, 3, 7}) {
            const test::Threads count(threads);
            results.push_back(product(W, x, order));
          }
          for (const auto& result : results) QVERIFY(test::sameBits(result, results[0]));
        }
    }
  }

  void alternateOrderRoundsDifferently() {
    Source source(4);
    for (Size size : {Size{50, 16}, Size{50, 64}, Size{50, 1152}}) {
      for (InstructionSet set : test::runnableSets()) {
        const test::ForcedSet forced(set);
        for (DType dtype : kDtypes<float>) {
          const StoredMatrix W = source.storedMatrix(dtype, size.outputs, size.inputs);
          const auto x = source.vector<float>(size.inputs);
          QVERIFY2(product(W, x) != product(W, x, SummationOrder::Alternate),
                   test::described(set, W.weights()).c_str());
        }
        const StoredMatrix W = source.storedMatrix(DType::F64, size.outputs, size.inputs);
        const auto x = source.vector<double>(size.inputs);
        QVERIFY(product(W, x) != product(W, x, SummationOrder::Alternate));
      }
    }
  }

  void productOfBfloat16IsNotRoundedToBfloat16() {
    // (1 + 2^-7)² needs 15 bits; rounding it to bfloat16 would lose the last bit.
    const StoredMatrix W =
        test::stored(DType::BF16, Eigen::MatrixXd::Constant(1, 1, 1.0 + 0x1p-7));
    QCOMPARE(product<float>(W, {1.0f + 0x1p-7f}),
             std::vector<float>{1.0f + 0x1p-6f + 0x1p-14f});
  }

  void infinityAndNaNStayInTheirOutput() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (InstructionSet set : test::runnableSets()) {
      const test::ForcedSet forced(set);
      for (DType dtype : kDtypes<float>) {
        Eigen::MatrixXd values = Eigen::MatrixXd::Ones(5, 13);
        values(1, 12) = kInfinity;
        values(3, 0) = std::nan("");
        const auto y =
            product(test::stored(dtype, values), std::vector<float>(2 * 13, 2.0f));
        for (int row = 0; row < 2; ++row) {
          QVERIFY(y[5 * row] == 26.0f && y[5 * row + 2] == 26.0f &&
                  y[5 * row + 4] == 26.0f);
          QVERIFY(y[5 * row + 1] == static_cast<float>(kInfinity));
          QVERIFY(std::isnan(y[5 * row + 3]));
        }
        // An infinite x times a zero of the padding would be NaN.
        std::vector<float> x(13, 1.0f);
        x[12] = static_cast<float>(kInfinity);
        const auto ones = test::stored(dtype, Eigen::MatrixXd::Ones(1, 13));
        QVERIFY(product(ones, x)[0] == static_cast<float>(kInfinity));
      }
    }
  }

  void emptyMatricesAndNoRowsAreAllowed() {
    float y = 7.0f;
    const float x = 1.0f;
    fewRowProduct({nullptr, DType::F32, 1, 0}, &x, 1, &y);
    QCOMPARE(y, 0.0f);
    y = 7.0f;
    fewRowProduct({nullptr, DType::F32, 0, 1}, &x, 1, &y);
    fewRowProduct({&x, DType::F32, 1, 1}, &x, 0, &y);
    QCOMPARE(y, 7.0f);
  }

  void unsupportedPairsOfTypesAreRefused() {
    const std::uint64_t weight = 0;
    float y = 0.0f;
    double z = 0.0;
    QVERIFY_ERROR(fewRowProduct({&weight, DType::F64, 1, 1}, &y, 1, &y), "float32",
                  "float64");
    QVERIFY_ERROR(fewRowProduct({&weight, DType::I8, 1, 1}, &y, 1, &y), "int8");
    QVERIFY_ERROR(fewRowProduct({&weight, DType::BF16, 1, 1}, &z, 1, &z), "float64",
                  "bfloat16");
  }

 private:
  template <typename T>
  static void checkAgreement() {
    Source source(1);
    for (Size size : kSizes)
      for (DType dtype : kDtypes<T>) {
        const StoredMatrix W = source.storedMatrix(dtype, size.outputs, size.inputs);
        const auto x = source.vector<T>(4 * size.inputs);
        for (InstructionSet set : test::runnableSets())
          for (SummationOrder order : kOrders) {
            const test::ForcedSet forced(set);
            QVERIFY2(agrees(W, x, product(W, x, order)),
                     test::described(set, W.weights()).c_str());
          }
      }
  }

  template <typename T>
  static void checkRows() {
    Source source(2);
    for (Size size : kSizes)
      for (DType dtype : kDtypes<T>) {
        const StoredMatrix W = source.storedMatrix(dtype, size.outputs, size.inputs);
        auto x = source.vector<T>(9 * size.inputs);
        // The first four rows hold values of the weights' dtype. Products of only such
        // rows may use another kernel.
        for (std::int64_t i = 0; i < 4 * size.inputs; ++i)
          x[i] = static_cast<T>(test::nearestOf(dtype, x[i]));
        for (InstructionSet set : test::runnableSets())
          for (SummationOrder order : kOrders) {
            const test::ForcedSet forced(set);
            QVERIFY2(rowsIndependent(W, x, order),
                     test::described(set, W.weights()).c_str());
          }
      }
  }

  template <typename T>
  static bool rowsIndependent(const StoredMatrix& W, const std::vector<T>& x,
                              SummationOrder order) {
    const std::int64_t inputs = W.values.cols(), outputs = W.values.rows();
    std::vector<std::vector<T>> alone;
    for (std::int64_t row = 0; row < 9; ++row)
      alone.push_back(product(W, rowOf(x, row, inputs), order));
    for (std::int64_t rows = 1; rows <= 9; ++rows) {
      const auto y =
          product(W, std::vector<T>(x.begin(), x.begin() + rows * inputs), order);
      for (std::int64_t row = 0; row < rows; ++row)
        if (!test::sameBits(rowOf(y, row, outputs), alone[row])) return false;
    }
    return true;
  }
};

EQUIPATCH_TEST(tst_few_row_product)
#include "tst_few_row_product.moc"
