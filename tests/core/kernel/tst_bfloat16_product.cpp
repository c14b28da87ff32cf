// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/bfloat16_product.h"

#include <limits>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::kOrders;
using test::RowMajor;
using test::Source;
using test::StoredMatrix;

namespace {

// A value that no sum has, to detect elements that were not written.
constexpr float kUnwritten = -12345678.0F;

std::vector<float> product(const StoredMatrix& x, const StoredMatrix& W,
                           SummationOrder order) {
  const auto count = static_cast<std::size_t>(x.values.rows() * W.values.rows());
  std::vector<float> y(count + 1, kUnwritten);
  bfloat16Product(x.weights(), W.weights(), y.data(), order);
  return y;
}

/// |y − x Wᵀ| ≤ γ |x| |W|ᵀ, where γ is about twice the worst case of a sum of `inputs`
/// terms in float32.
bool agreesWithOracle(const StoredMatrix& x, const StoredMatrix& W,
                      const std::vector<float>& y) {
  const Eigen::MatrixXd Y =
      Eigen::Map<const RowMajor<float>>(y.data(), x.values.rows(), W.values.rows())
          .cast<double>();
  const Eigen::MatrixXd bound =
      (x.values.cwiseAbs() * W.values.cwiseAbs().transpose()) *
      (std::numeric_limits<float>::epsilon() * static_cast<double>(x.values.cols() + 1));
  const Eigen::MatrixXd exact = x.values * W.values.transpose();
  return ((Y - exact).cwiseAbs().array() <= bound.array()).all();
}

}  // namespace

class tst_bfloat16_product : public test::TestCase {
  Q_OBJECT

  void prepare() override {
    if (!multipliesBfloat16()) QSKIP("this processor lacks AVX512-BF16");
  }

 private Q_SLOTS:
  void agreesWithDoublePrecision_data();
  void agreesWithDoublePrecision();
  void alternateOrderRoundsDifferently();
  void infiniteAndNaNWeightsShowInTheirOutputs();
  void nothingIsWrittenForNoRows();
};

void tst_bfloat16_product::agreesWithDoublePrecision_data() {
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("outputs");
  QTest::addColumn<int>("inputs");
  for (const int rows : {1, 9, 33, 100})
    for (const int outputs : {1, 17, 96})
      for (const int inputs : {1, 2, 31, 64, 301})
        QTest::addRow("%d rows, %d by %d", rows, outputs, inputs)
            << rows << outputs << inputs;
}

void tst_bfloat16_product::agreesWithDoublePrecision() {
  QFETCH(int, rows);
  QFETCH(int, outputs);
  QFETCH(int, inputs);
  Source source(1);
  const StoredMatrix x = source.storedMatrix(DType::BF16, rows, inputs);
  const StoredMatrix W = source.storedMatrix(DType::BF16, outputs, inputs);
  for (const SummationOrder order : kOrders) {
    const std::vector<float> y = product(x, W, order);
    QVERIFY(agreesWithOracle(x, W, y));
    QVERIFY(y.back() == kUnwritten);
  }
}

void tst_bfloat16_product::alternateOrderRoundsDifferently() {
  Source source(2);
  const StoredMatrix x = source.storedMatrix(DType::BF16, 20, 500);
  const StoredMatrix W = source.storedMatrix(DType::BF16, 64, 500);
  QVERIFY(product(x, W, SummationOrder::Standard) !=
          product(x, W, SummationOrder::Alternate));
}

void tst_bfloat16_product::infiniteAndNaNWeightsShowInTheirOutputs() {
  Source source(3);
  const StoredMatrix x = source.storedMatrix(DType::BF16, 12, 40);
  StoredMatrix W = source.storedMatrix(DType::BF16, 5, 40);
  constexpr std::uint16_t kNotANumber = 0x7fc0, kInfinity = 0x7f80;
  std::memcpy(W.bytes.data() + (1 * 40 + 7) * 2, &kNotANumber, 2);
  std::memcpy(W.bytes.data() + (3 * 40 + 39) * 2, &kInfinity, 2);
  const std::vector<float> y = product(x, W, SummationOrder::Standard);
  for (std::size_t row = 0; row < 12; ++row) {
    QVERIFY(std::isfinite(y[row * 5]) && std::isnan(y[row * 5 + 1]));
    QVERIFY(std::isinf(y[row * 5 + 3]));
  }
}

void tst_bfloat16_product::nothingIsWrittenForNoRows() {
  const StoredMatrix W = Source(4).storedMatrix(DType::BF16, 5, 40);
  float untouched = kUnwritten;
  bfloat16Product({nullptr, DType::BF16, 0, 40}, W.weights(), &untouched);
  QVERIFY(untouched == kUnwritten);
}

EQUIPATCH_TEST(tst_bfloat16_product)
#include "tst_bfloat16_product.moc"
