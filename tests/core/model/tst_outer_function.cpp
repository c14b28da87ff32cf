// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/norm.h"

#include <cmath>

#include "tests/core/model/eigen_tensor.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kRows = 12, kOuterWidth = 31;

struct OuterSetting {
  OuterSetting(DType dtype, bool scaleBeforeRounding)
      : arithmetic(dtype, at::kCPU),
        m(1.0 + randomTensor("m", {kOuterWidth}, arithmetic, 0.3)),
        v(randomTensor("v", {kRows, kOuterWidth}, arithmetic)),
        y(randomTensor("y", {kRows, kOuterWidth}, arithmetic) / 3.0) {
    spec.norm = {.eps = 1e-3, .scaleBeforeRounding = scaleBeforeRounding};
  }

  OuterFunction withScale() const { return OuterFunction(spec, {.m = m}); }
  OuterFunction withoutScale() const { return OuterFunction(spec, {}); }

  Arithmetic arithmetic;
  ModelSpec spec;
  Tensor m, v, y;  // y is a product: not rounded
};

/// Each row divided by its root mean square.
Matrix normalised(Matrix rows) {
  for (Eigen::Index row = 0; row < rows.rows(); ++row)
    rows.row(row) /= std::sqrt(rows.row(row).squaredNorm() / kOuterWidth + 1e-3);
  return rows;
}

}  // namespace

class tst_outer_function : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void recognizesANormScale();
  void outerFunctionWithoutScaleIsAddition();
  void outerFunctionWithScaleFollowsTheFormula();
  void normalisedOutputLacksTheScale();
  void branchMultipliesByTheGivenScale();
  void outerFunctionEqualsNormScaleAndSum();
  void branchesAreMultipliedByTheResidualScale();

 private:
  static OuterSetting setting() {
    QFETCH_GLOBAL(int, dtype);
    QFETCH_GLOBAL(bool, scaleBeforeRounding);
    return {static_cast<DType>(dtype), scaleBeforeRounding};
  }
};

void tst_outer_function::initTestCase_data() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<bool>("scaleBeforeRounding");
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    for (const bool before : {false, true})
      QTest::addRow("%s, %s", std::string(torchName(dtype)).c_str(),
                    before ? "rounded once" : "rounded twice")
          << static_cast<int>(dtype) << before;
}

void tst_outer_function::recognizesANormScale() {
  const OuterSetting s = setting();
  QVERIFY(!s.withoutScale().closesWithScale());
  const OuterFunction outer = s.withScale();
  QVERIFY(outer.closesWithScale());
  QVERIFY(sameBits(outer.m(), s.m));
  QCOMPARE(outer.norm().eps, 1e-3);
  QCOMPARE(outer.norm().scaleBeforeRounding, s.spec.norm.scaleBeforeRounding);
}

void tst_outer_function::outerFunctionWithoutScaleIsAddition() {
  const OuterSetting s = setting();
  const DType dtype = s.arithmetic.dtype();
  const Tensor out = s.withoutScale().close(s.v, s.y, s.arithmetic);
  const Matrix v = toMatrix(s.v), y = toMatrix(s.y), closed = toMatrix(out);
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    double expected = v.data()[i] + y.data()[i];
    if (dtype != DType::F64)
      expected = static_cast<double>(
          roundedTo(static_cast<float>(v.data()[i]) +
                        roundedTo(static_cast<float>(y.data()[i]), dtype),
                    dtype));
    QVERIFY(closed.data()[i] == expected);
  }
}

void tst_outer_function::outerFunctionWithScaleFollowsTheFormula() {
  const OuterSetting s = setting();
  const Tensor out = s.withScale().close(s.v, s.y, s.arithmetic);
  const Matrix expected =
      toMatrix(s.v).array() +
      normalised(toMatrix(s.y)).array().rowwise() * toMatrix(s.m).row(0).array();
  // Narrow dtypes round four times, each time by at most half the spacing of values below
  // 8, which is 2 eps. The bound is twice the sum.
  const double eps = machineEpsilon(s.arithmetic.dtype());
  QVERIFY(distance(out, expected) < 4.0 * 4.0 * eps);
  QVERIFY(sameBits(s.arithmetic.round(out), out));
}

void tst_outer_function::normalisedOutputLacksTheScale() {
  const OuterSetting s = setting();
  const OuterFunction outer = s.withScale();
  const Tensor mlp_out = s.arithmetic.round(s.y);
  const Tensor n = outer.normalisedOutput(mlp_out, s.arithmetic);
  QCOMPARE(n.scalar_type(), s.arithmetic.wide());
  const Matrix expected = normalised(toMatrix(mlp_out));
  const bool narrow = s.arithmetic.weightType() != s.arithmetic.wide();
  const bool rounded = narrow && !s.spec.norm.scaleBeforeRounding;
  const double eps = machineEpsilon(rounded  ? s.arithmetic.dtype()
                                    : narrow ? DType::F32
                                             : s.arithmetic.dtype());
  QVERIFY(distance(n, expected) < 4.0 * 2.0 * eps);
  QCOMPARE(sameBits(s.arithmetic.round(n), n), rounded || !narrow);
}

void tst_outer_function::branchMultipliesByTheGivenScale() {
  const OuterSetting s = setting();
  const OuterFunction outer = s.withScale();
  const Tensor n = outer.normalisedOutput(s.arithmetic.round(s.y), s.arithmetic);
  const Tensor other = randomTensor("other", {kOuterWidth}, s.arithmetic, 3.0);
  const Tensor branch = outer.branch(n, other, s.arithmetic);
  const Matrix expected = toMatrix(n).array().rowwise() * toMatrix(other).row(0).array();
  const Matrix size = expected.cwiseAbs();
  const double eps = machineEpsilon(s.arithmetic.dtype());
  QVERIFY(((toMatrix(branch) - expected).array().abs() <= eps * size.array() + 1e-7 * eps)
              .all());
  QVERIFY(sameBits(s.arithmetic.round(branch), branch));
  QVERIFY(sameBits(outer.branch(n, at::zeros_like(s.m), s.arithmetic).abs(),
                   at::zeros_like(n)));
}

void tst_outer_function::outerFunctionEqualsNormScaleAndSum() {
  const OuterSetting s = setting();
  const Arithmetic& a = s.arithmetic;
  const OuterFunction outer = s.withScale();
  const Tensor n = outer.normalisedOutput(a.round(s.y), a);
  const Tensor parts = a.round(s.v + outer.branch(n, outer.m(), a));
  QVERIFY(sameBits(outer.close(s.v, s.y, a), parts));
  // A row computed alone is the same, up to rounding.
  const Tensor one = outer.close(s.v.narrow(0, 5, 1), s.y.narrow(0, 5, 1), a);
  QVERIFY(distance(one[0], parts[5]) <= 8.0 * machineEpsilon(a.dtype()));
}

void tst_outer_function::branchesAreMultipliedByTheResidualScale() {
  OuterSetting s = setting();
  const Arithmetic& a = s.arithmetic;
  s.spec.residualScale = 0.22;
  const OuterFunction outer = s.withoutScale();
  QCOMPARE(outer.residualScale(), 0.22);
  const Tensor expected = a.round(s.v + a.round(a.round(s.y) * 0.22));
  QVERIFY(sameBits(outer.close(s.v, s.y, a), expected));
  QVERIFY(sameBits(outer.add(s.v, a.round(s.y), a), expected));
}

EQUIPATCH_TEST(tst_outer_function)
#include "tst_outer_function.moc"
