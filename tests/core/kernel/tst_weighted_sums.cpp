// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/weight_products.h"

#include <array>
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

template <typename T>
std::vector<T> weightedSum(const StoredMatrix& V, const std::vector<T>& p,
                           SummationOrder order = SummationOrder::Standard) {
  const std::int64_t rows = std::ssize(p) / V.values.rows();
  // A value that no sum has, to detect elements that were not written.
  std::vector<T> y(static_cast<std::size_t>(rows * V.values.cols()), T{-12345678});
  weightedSums(std::array{V.weights()}, p.data(), rows, y.data(), order);
  return y;
}

/// |y − p V| ≤ γ |p| |V|. The kernel adds up pieces of 128 terms and then the pieces'
/// sums, so γ grows with the terms of one piece and with the number of pieces.
template <typename T>
bool agreesWithOracle(const StoredMatrix& V, const std::vector<T>& p,
                      const std::vector<T>& y) {
  const Eigen::Index count = V.values.rows(), rows = std::ssize(p) / count;
  const Eigen::MatrixXd P =
      Eigen::Map<const RowMajor<T>>(p.data(), rows, count).template cast<double>();
  const Eigen::MatrixXd bound =
      (P.cwiseAbs() * V.values.cwiseAbs()) *
      (std::numeric_limits<T>::epsilon() *
       static_cast<double>(std::min<Eigen::Index>(count, 128) + count / 128 + 1));
  const Eigen::MatrixXd Y = Eigen::Map<const RowMajor<T>>(y.data(), rows, V.values.cols())
                                .template cast<double>();
  return ((Y - P * V.values).cwiseAbs().array() <= bound.array()).all();
}

}  // namespace

class tst_weighted_sums : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void agreesWithDoublePrecision() {
    checkAgreement<float>();
    checkAgreement<double>();
  }

  void rowsDoNotDependOnEachOtherNorOnThreads() {
    Source source(2);
    for (DType dtype : kDtypes<float>) {
      constexpr std::int64_t kCount = 2000, kWidth = 260, kRows = 6;
      const StoredMatrix V = source.storedMatrix(dtype, kCount, kWidth);
      const std::vector<float> p = source.vector<float>(kRows * kCount);
      for (InstructionSet set : test::runnableSets()) {
        const test::ForcedSet forced(set);
        for (SummationOrder order : kOrders) {
          const std::vector<float> all = weightedSum(V, p, order);
          for (int threads : {1, 2, 3}) {
            const test::Threads count(threads);
            for (std::int64_t row = 0; row < kRows; ++row) {
              const auto alone = weightedSum(V, rowOf(p, row, kCount), order);
              QVERIFY(test::sameBits(alone, rowOf(all, row, kWidth)));
            }
          }
        }
      }
    }
  }

  void alternateOrderRoundsDifferently() {
    Source source(3);
    for (InstructionSet set : test::runnableSets()) {
      const test::ForcedSet forced(set);
      for (DType dtype : kDtypes<float>)
        for (std::int64_t count : {40, 1000}) {
          const StoredMatrix V = source.storedMatrix(dtype, count, 64);
          const auto p = source.vector<float>(count);
          QVERIFY(weightedSum(V, p) != weightedSum(V, p, SummationOrder::Alternate));
        }
    }
  }

  void memoryAfterTheLastColumnIsUntouched() {
    Source source(4);
    const StoredMatrix V = source.storedMatrix(DType::BF16, 3, 37);
    const auto p = source.vector<float>(3);
    std::vector<float> y(64, 7.0f);
    weightedSums(std::array{V.weights()}, p.data(), 1, y.data());
    for (std::size_t column = 37; column < y.size(); ++column) QCOMPARE(y[column], 7.0f);
  }

  void severalMatricesAreIndependent() {
    Source source(5);
    constexpr std::int64_t kCount = 700, kWidth = 200, kRows = 3, kMatrices = 5;
    std::vector<StoredMatrix> stored;
    std::vector<WeightMatrix> matrices;
    for (int i = 0; i < kMatrices; ++i)
      stored.push_back(source.storedMatrix(DType::BF16, kCount, kWidth));
    for (const StoredMatrix& V : stored) matrices.push_back(V.weights());
    const auto p = source.vector<float>(kMatrices * kRows * kCount);
    for (int threads : {1, 3}) {
      const test::Threads count(threads);
      std::vector<float> y(kMatrices * kRows * kWidth);
      weightedSums(matrices, p.data(), kRows, y.data());
      for (int i = 0; i < kMatrices; ++i)
        QVERIFY(test::sameBits(rowOf(y, i, kRows * kWidth),
                               weightedSum(stored[i], rowOf(p, i, kRows * kCount))));
    }
  }

  void matrixWithoutRowsGivesZero() {
    std::vector<float> y(5, 7.0f);
    const float none = 0.0f;
    const WeightMatrix empty{&none, DType::F32, 0, 5};
    weightedSums({&empty, 1}, &none, 1, y.data());
    QVERIFY(y == std::vector<float>(5, 0.0f));
  }

 private:
  template <typename T>
  void checkAgreement() {
    Source source(1);
    constexpr std::pair<std::int64_t, std::int64_t> kMatrices[] = {
        {1, 1},    {3, 8},     {7, 15},    {127, 64},
        {128, 80}, {129, 256}, {1000, 33}, {300, 131}};
    for (const auto& [count, width] : kMatrices)
      for (DType dtype : kDtypes<T>) {
        const StoredMatrix V = source.storedMatrix(dtype, count, width);
        for (int rows : {1, 2, 3, 4, 5, 9}) {
          const std::vector<T> p = source.vector<T>(std::int64_t{rows} * count);
          for (InstructionSet set : test::runnableSets())
            for (SummationOrder order : kOrders) {
              const test::ForcedSet forced(set);
              QVERIFY2(agreesWithOracle(V, p, weightedSum(V, p, order)),
                       test::described(set, V.weights()).c_str());
            }
        }
      }
  }
};

EQUIPATCH_TEST(tst_weighted_sums)
#include "tst_weighted_sums.moc"
