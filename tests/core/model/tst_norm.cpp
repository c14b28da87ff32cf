// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/norm.h"

#include <cmath>

#include "tests/core/model/eigen_tensor.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kWidth = 29;

NormSpec spec(double eps, bool scaleBeforeRounding = false) {
  return {.eps = eps, .scaleBeforeRounding = scaleBeforeRounding};
}

Matrix byDefinition(Matrix x, double eps) {
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    double sum = 0.0;
    for (Eigen::Index column = 0; column < x.cols(); ++column)
      sum += x(row, column) * x(row, column);
    x.row(row) /= std::sqrt(sum / static_cast<double>(x.cols()) + eps);
  }
  return x;
}

}  // namespace

class tst_norm : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void normalisedRowHasKnownValues();
  void equalsTheDefinition_data();
  void equalsTheDefinition();
  void meanSquareIsOne();
  void onlyEpsBreaksScaleInvariance();
  void aZeroRowIsNormalisedToZero();
  void headsAreNormedOneByOne();
  void aLayerNormSubtractsTheMean();
  void aBiasIsAddedBeforeTheLastRounding();
  void specDecidesIfScalingPrecedesRounding_data();
  void specDecidesIfScalingPrecedesRounding();
  void normEqualsScaledOfNormalised();
  void theAlternateOrderAgreesToRounding();
};

void tst_norm::normalisedRowHasKnownValues() {
  // (3² + 4²) / 2 = 12.5; with eps 3.5 the root is 4.
  const Tensor x = at::tensor({3.0, 4.0}).to(at::kDouble).unsqueeze(0);
  const Matrix n = toMatrix(normalised(x, spec(3.5)));
  QVERIFY(std::abs(n(0, 0) - 0.75) < 1e-15);
  QVERIFY(std::abs(n(0, 1) - 1.0) < 1e-15);
}

void tst_norm::equalsTheDefinition_data() {
  QTest::addColumn<double>("eps");
  QTest::addColumn<double>("spread");
  QTest::newRow("usual") << 1e-6 << 1.0;
  QTest::newRow("eps matters") << 1e-2 << 0.1;
  QTest::newRow("tiny rows") << 1e-6 << 1e-5;
  QTest::newRow("large rows") << 1e-5 << 1e4;
}

void tst_norm::equalsTheDefinition() {
  QFETCH(double, eps);
  QFETCH(double, spread);
  const Arithmetic wide(DType::F64, at::kCPU), narrow(DType::F32, at::kCPU);
  const Tensor x = randomTensor("x", {5, kWidth}, wide, spread);
  QVERIFY(distance(normalised(x, spec(eps)), byDefinition(toMatrix(x), eps)) < 1e-14);
  const Tensor y = randomTensor("x", {5, kWidth}, narrow, spread);
  QVERIFY(distance(normalised(y, spec(eps)), byDefinition(toMatrix(y), eps)) < 2e-6);
}

void tst_norm::meanSquareIsOne() {
  const Arithmetic a(DType::F64, at::kCPU);
  const Matrix n =
      toMatrix(normalised(randomTensor("x", {6, kWidth}, a, 3.0), spec(1e-300)));
  for (Eigen::Index row = 0; row < n.rows(); ++row)
    QVERIFY(std::abs(n.row(row).squaredNorm() / kWidth - 1.0) < 1e-14);
}

void tst_norm::onlyEpsBreaksScaleInvariance() {
  const Arithmetic a(DType::F64, at::kCPU);
  const Tensor x = randomTensor("x", {4, kWidth}, a);
  const NormSpec none = spec(1e-300);
  QVERIFY(distance(normalised(x, none), normalised(x * 1e5, none)) < 1e-13);
  QVERIFY(distance(normalised(x, none), -normalised(x * -0.01, none)) < 1e-13);
  QVERIFY(distance(normalised(x, spec(0.1)), normalised(x * 10.0, spec(0.1))) > 1e-2);
}

void tst_norm::aZeroRowIsNormalisedToZero() {
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
    const Tensor x = at::zeros({2, kWidth}, type);
    QVERIFY(sameBits(normalised(x, spec(1e-6)), x));
  }
}

void tst_norm::headsAreNormedOneByOne() {
  const Arithmetic a(DType::F64, at::kCPU);
  const Tensor x = randomTensor("x", {3, 4, kWidth}, a),
               m = randomTensor("m", {kWidth}, a);
  const Tensor all = norm(x, {.m = m}, spec(1e-6), a);
  for (std::int64_t row = 0; row < 3; ++row)
    for (std::int64_t head = 0; head < 4; ++head)
      QVERIFY(distance(all[row][head], norm(x[row][head], {.m = m}, spec(1e-6), a)) <
              1e-15);
}

void tst_norm::aLayerNormSubtractsTheMean() {
  const Arithmetic a(DType::F64, at::kCPU);
  NormSpec layer = spec(1e-3);
  layer.kind = NormKind::Layer;
  const Tensor x = randomTensor("x", {5, kWidth}, a, 2.0);
  Matrix centred = toMatrix(x);
  for (Eigen::Index row = 0; row < centred.rows(); ++row)
    centred.row(row).array() -= centred.row(row).mean();
  QVERIFY(distance(normalised(x, layer), byDefinition(centred, 1e-3)) < 1e-14);
  QVERIFY(distance(normalised(x + 7.0, layer), normalised(x, layer)) < 1e-13);
  QVERIFY(distance(normalised(x, layer), normalised(x, spec(1e-3))) > 1e-2);
  QVERIFY(distance(normalised(x, layer, SummationOrder::Alternate),
                   normalised(x, layer)) < 1e-14);
}

void tst_norm::aBiasIsAddedBeforeTheLastRounding() {
  const Arithmetic a(DType::BF16, at::kCPU);
  const Tensor n = randomTensor("n", {40, kWidth}, a) / 3.0;
  const Tensor m = 1.0 + randomTensor("m", {kWidth}, a, 0.3);
  const Tensor b = randomTensor("b", {kWidth}, a);
  const Tensor out = scaled(n, {.m = m, .bias = b}, spec(1e-6, true), a);
  QVERIFY(sameBits(out, a.round(n * m + b)));
  QVERIFY(!sameBits(out, a.round(a.round(n * m) + b)));
}

void tst_norm::specDecidesIfScalingPrecedesRounding_data() {
  QTest::addColumn<int>("dtype");
  for (const DType dtype : {DType::F32, DType::BF16, DType::F16})
    QTest::newRow(std::string(torchName(dtype)).c_str()) << static_cast<int>(dtype);
}

void tst_norm::specDecidesIfScalingPrecedesRounding() {
  QFETCH(int, dtype);
  const auto type = static_cast<DType>(dtype);
  const Arithmetic a(type, at::kCPU);
  // Not representable in 16 bits.
  const Tensor n = randomTensor("n", {40, kWidth}, a) / 3.0;
  const Tensor m = 1.0 + randomTensor("m", {kWidth}, a, 0.3);
  const Tensor before = scaled(n, {.m = m}, spec(1e-6, true), a).contiguous();
  const Tensor after = scaled(n, {.m = m}, spec(1e-6, false), a).contiguous();
  const float* scale = m.data_ptr<float>();
  for (std::int64_t i = 0; i < n.numel(); ++i) {
    const float value = n.data_ptr<float>()[i];
    QVERIFY(before.data_ptr<float>()[i] == roundedTo(value * scale[i % kWidth], type));
    QVERIFY(after.data_ptr<float>()[i] ==
            roundedTo(roundedTo(value, type) * scale[i % kWidth], type));
  }
  // In 16-bit dtypes the two results must differ, or the loop above shows nothing.
  QCOMPARE(sameBits(before, after), type == DType::F32);
}

void tst_norm::normEqualsScaledOfNormalised() {
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    for (const bool scaleBeforeRounding : {false, true}) {
      const Arithmetic a(dtype, at::kCPU);
      const NormSpec form = spec(1e-5, scaleBeforeRounding);
      const Tensor x = randomTensor("x", {7, kWidth}, a, 4.0);
      const Tensor m = 1.0 + randomTensor("m", {kWidth}, a, 0.3);
      const Tensor whole = norm(x, {.m = m}, form, a);
      QVERIFY(sameBits(whole, scaled(normalised(x, form), {.m = m}, form, a)));
      QVERIFY(sameBits(a.round(whole), whole));
    }
}

void tst_norm::theAlternateOrderAgreesToRounding() {
  const Arithmetic a(DType::F32, at::kCPU);
  const Arithmetic b = a.with(SummationOrder::Alternate);
  for (const std::int64_t width : {1, 2, 37, 1000}) {
    const Tensor x = randomTensor("x", {50, width}, a, 2.0);
    const Tensor m = 1.0 + randomTensor("m", {width}, a, 0.3);
    const Tensor one = norm(x, {.m = m}, spec(1e-6), a),
                 other = norm(x, {.m = m}, spec(1e-6), b);
    QVERIFY(sameBits(other, scaled(normalised(x, spec(1e-6), SummationOrder::Alternate),
                                   {.m = m}, spec(1e-6), b)));
    QVERIFY(distance(one, other) < 2e-5);
    if (width == 1000)
      QVERIFY(!sameBits(one, other));  // the noise floor measures this difference
  }
}

EQUIPATCH_TEST(tst_norm)
#include "tst_norm.moc"
