// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/arithmetic.h"

#include <cmath>
#include <limits>

#include "core/kernel/threads.h"
#include "tests/core/model/eigen_tensor.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using LongMatrix =
    Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The largest ratio of an element's error to its bound γ_n Σ |x w|, which holds for n
/// terms added in any order: γ_n = n u / (1 − n u), where u is the unit roundoff of the
/// wide type. Infinite if an element is not finite.
double errorOverBound(const Tensor& y, const Tensor& x, const Linear& linear) {
  const LongMatrix X = toMatrix(x).cast<long double>();
  const LongMatrix W = toMatrix(linear.weight).cast<long double>();
  LongMatrix exact = X * W.transpose();
  LongMatrix size = X.cwiseAbs() * W.cwiseAbs().transpose();
  if (linear.bias.defined()) {
    const LongMatrix b = toMatrix(linear.bias).cast<long double>();
    exact.rowwise() += b.row(0);
    size.rowwise() += b.row(0).cwiseAbs();
  }
  const long double u = y.scalar_type() == at::kDouble ? 0x1p-53L : 0x1p-24L;
  const auto n = static_cast<long double>(x.size(1) + 1);
  const LongMatrix error = toMatrix(y).cast<long double>() - exact;
  if (!error.allFinite()) return kInfinity;  // maxCoeff may skip NaN
  const LongMatrix bound = size * (n * u / (1.0L - n * u));
  return static_cast<double>((error.cwiseAbs().array() / bound.array()).maxCoeff());
}

/// W + u wᵀ, computed without the kernels. The products and sums are rounded to the wide
/// type, the elements then to the dtype.
Linear patched(const Linear& linear, const Tensor& u, const Tensor& w, DType dtype) {
  const Tensor wide = linear.weight.to(u.scalar_type()).contiguous();
  Tensor stored = at::empty_like(wide);
  for (std::int64_t row = 0; row < wide.size(0); ++row)
    for (std::int64_t column = 0; column < wide.size(1); ++column) {
      const std::int64_t at = row * wide.size(1) + column;
      if (dtype == DType::F64) {
        const double change = u.data_ptr<double>()[row] * w.data_ptr<double>()[column];
        stored.data_ptr<double>()[at] = wide.data_ptr<double>()[at] + change;
      } else {
        const float change = u.data_ptr<float>()[row] * w.data_ptr<float>()[column];
        stored.data_ptr<float>()[at] =
            roundedTo(wide.data_ptr<float>()[at] + change, dtype);
      }
    }
  return {.weight = stored.to(linear.weight.scalar_type()), .bias = linear.bias};
}

}  // namespace

class tst_arithmetic : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void theDTypeDecidesTheTypesOfTensors();
  void productStaysWithinTheAccumulationBound_data() { shapes(); }
  void productStaysWithinTheAccumulationBound();
  void productsOfFewAndManyRowsAgree_data() { shapes(); }
  void productsOfFewAndManyRowsAgree();
  void oneOfFewRowsDoesNotDependOnTheOthers_data() { shapes(); }
  void oneOfFewRowsDoesNotDependOnTheOthers();
  void threadsChangeNoBitOfFewRows();
  void productsWithALargeMatrixAreCorrect();
  void alternateSummationOrderGivesOtherBits();
  void argumentsNeedNotBeContiguous();
  void roundingIsToNearestEven();
  void knownValuesAreRoundedCorrectly_data();
  void knownValuesAreRoundedCorrectly();
  void aValueIsRoundedLikeATensor();
  void computingInFloat32RoundsWeightsOnly();
  void materialisedProductIsThatOfTheStoredMatrix_data() { shapes(); }
  void materialisedProductIsThatOfTheStoredMatrix();
  void packedMatricesGiveTheProductsOfExpandedOnes();

 private:
  static void shapes();
  static Arithmetic arithmetic(SummationOrder order = SummationOrder::Standard) {
    QFETCH_GLOBAL(int, dtype);
    return Arithmetic(static_cast<DType>(dtype), at::kCPU).with(order);
  }
};

void tst_arithmetic::computingInFloat32RoundsWeightsOnly() {
  QFETCH_GLOBAL(int, dtype);
  const auto type = static_cast<DType>(dtype);
  const Arithmetic native(type, at::kCPU), wide(type, at::kCPU, Compute::Float32);
  const Tensor x = randomTensor("x", {3, 40}, Arithmetic(DType::F64, at::kCPU)) / 3.0;
  const Tensor held = x.to(wide.wide());
  QVERIFY(sameBits(wide.round(held), held));
  QVERIFY(wide.round(1.0 / 3.0) ==
          (type == DType::F64 ? 1.0 / 3.0 : double(1.0F / 3.0F)));
  QVERIFY(sameBits(wide.roundAsWeight(held), native.round(held)));
  QVERIFY(wide.weightType() == native.weightType());
  QVERIFY(wide.activationType() == wide.wide());
  QVERIFY(wide.with(SummationOrder::Alternate).activationType() == wide.wide());
}

void tst_arithmetic::initTestCase_data() {
  QTest::addColumn<int>("dtype");
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    QTest::newRow(std::string(torchName(dtype)).c_str()) << static_cast<int>(dtype);
}

void tst_arithmetic::shapes() {
  QTest::addColumn<qint64>("outputs");
  QTest::addColumn<qint64>("inputs");
  QTest::newRow("1 x 1") << qint64{1} << qint64{1};
  QTest::newRow("5 x 3") << qint64{5} << qint64{3};
  QTest::newRow("37 x 101") << qint64{37} << qint64{101};
  QTest::newRow("64 x 128") << qint64{64} << qint64{128};
  QTest::newRow("131 x 1029, worth threads") << qint64{131} << qint64{1029};
}

void tst_arithmetic::theDTypeDecidesTheTypesOfTensors() {
  const Arithmetic a = arithmetic();
  QCOMPARE(a.weightType(), toTorch(a.dtype()));
  QCOMPARE(a.wide(), a.dtype() == DType::F64 ? at::kDouble : at::kFloat);
  const Arithmetic other = a.with(SummationOrder::Alternate);
  QCOMPARE(other.dtype(), a.dtype());
  QCOMPARE(other.device(), a.device());
  const Tensor y = a.product(randomTensor("x", {2, 8}, a), randomLinear("W", 3, 8, a));
  QCOMPARE(y.scalar_type(), a.wide());
}

void tst_arithmetic::productStaysWithinTheAccumulationBound() {
  QFETCH(qint64, outputs);
  QFETCH(qint64, inputs);
  for (const auto order : {SummationOrder::Standard, SummationOrder::Alternate}) {
    const Arithmetic a = arithmetic(order);
    for (const Bias bias : {Bias::Without, Bias::With}) {
      const Linear linear = randomLinear("W", outputs, inputs, a, bias);
      for (const std::int64_t rows : {1, 2, 7, 8, 9, 33}) {
        const Tensor x = randomTensor("x", {rows, inputs}, a);
        const Tensor y = a.product(x, linear);
        QCOMPARE(y.sizes(), at::IntArrayRef({rows, outputs}));
        QVERIFY(errorOverBound(y, x, linear) <= 1.0);
      }
    }
  }
}

void tst_arithmetic::productsOfFewAndManyRowsAgree() {
  QFETCH(qint64, outputs);
  QFETCH(qint64, inputs);
  const Arithmetic a = arithmetic();
  const Linear linear = randomLinear("W", outputs, inputs, a, Bias::With);
  const Tensor x = randomTensor("x", {Arithmetic::kFewRows + 1, inputs}, a);
  const Tensor many = a.product(x, linear);
  const Tensor few = a.product(x.narrow(0, 0, Arithmetic::kFewRows), linear);
  const double u = a.wide() == at::kDouble ? 0x1p-53 : 0x1p-24;
  const Matrix size =
      toMatrix(x).cwiseAbs() * toMatrix(linear.weight).cwiseAbs().transpose();
  const double bound =
      2.0 * static_cast<double>(inputs + 1) * u * (size.maxCoeff() + 1.0);
  QVERIFY(distance(few, toMatrix(many).topRows(Arithmetic::kFewRows)) <= bound);
}

void tst_arithmetic::oneOfFewRowsDoesNotDependOnTheOthers() {
  QFETCH(qint64, outputs);
  QFETCH(qint64, inputs);
  for (const auto order : {SummationOrder::Standard, SummationOrder::Alternate}) {
    const Arithmetic a = arithmetic(order);
    const Linear linear = randomLinear("W", outputs, inputs, a, Bias::With);
    const Tensor row = randomTensor("row", {1, inputs}, a);
    const Tensor alone = a.product(row, linear);
    for (std::int64_t rows = 2; rows <= Arithmetic::kFewRows; ++rows)
      for (std::int64_t at = 0; at < rows; ++at) {
        // Large values, ∞ and NaN would show any influence of the other rows.
        Tensor x = randomTensor("others", {rows, inputs}, a, 1e4);
        x[(at + 1) % rows].fill_(kInfinity);
        if (rows > 2) x[(at + 2) % rows].fill_(std::numeric_limits<double>::quiet_NaN());
        x.narrow(0, at, 1).copy_(row);
        QVERIFY(sameBits(a.product(x, linear).narrow(0, at, 1), alone));
      }
  }
}

void tst_arithmetic::threadsChangeNoBitOfFewRows() {
  const int before = kernelThreads();
  const Arithmetic a = arithmetic();
  const Linear linear = randomLinear("W", 513, 1111, a);
  const Tensor x = randomTensor("x", {3, 1111}, a);
  const Tensor u = randomTensor("u", {513}, a), w = randomTensor("w", {1111}, a);
  setComputeThreads(1);
  const Tensor one = a.product(x, linear);
  const Tensor materialised = a.materialisedProduct(x[0], linear, u, w);
  for (const int threads : {2, 3, 5}) {
    setComputeThreads(threads);
    QVERIFY(sameBits(a.product(x, linear), one));
    QVERIFY(sameBits(a.materialisedProduct(x[0], linear, u, w), materialised));
  }
  setComputeThreads(before);
}

void tst_arithmetic::productsWithALargeMatrixAreCorrect() {
  const Arithmetic a = arithmetic();
  // Widening 16-bit weights takes three tiles; the last has three rows.
  const std::int64_t outputs = 131, inputs = 1 << 16;
  const Tensor values = at::sin(0.37 * at::arange(outputs * inputs, at::kDouble));
  const Linear linear{.weight = values.view({outputs, inputs}).to(a.weightType()),
                      .bias = {}};
  const Tensor x = randomTensor("x", {9, inputs}, a);
  for (const auto order : {SummationOrder::Standard, SummationOrder::Alternate}) {
    const Matrix exact = toMatrix(x) * toMatrix(linear.weight).transpose();
    const double u = a.wide() == at::kDouble ? 0x1p-53 : 0x1p-24;
    // Blocked summation errs far less than n u Σ|x w|: √n u n is ample, as Σ|x w| < n.
    const double bound = std::sqrt(inputs) * u * static_cast<double>(inputs);
    QVERIFY(distance(a.with(order).product(x, linear), exact) < bound);
  }
}

void tst_arithmetic::alternateSummationOrderGivesOtherBits() {
  const Arithmetic a = arithmetic(), b = a.with(SummationOrder::Alternate);
  const Linear linear = randomLinear("W", 65, 300, a);
  for (const std::int64_t rows : {1, 8, 20}) {
    const Tensor x = randomTensor("x", {rows, 300}, a);
    QVERIFY(!sameBits(a.product(x, linear), b.product(x, linear)));
    QVERIFY(sameBits(a.product(x, linear),
                     b.with(SummationOrder::Standard).product(x, linear)));
  }
}

void tst_arithmetic::argumentsNeedNotBeContiguous() {
  const Arithmetic a = arithmetic();
  const Linear linear = randomLinear("W", 19, 30, a);
  for (const std::int64_t rows : {4, 12}) {
    const Tensor all = randomTensor("x", {rows, 90}, a);
    const Tensor apart = all.narrow(1, 31, 30);
    QVERIFY(sameBits(a.product(apart, linear), a.product(apart.contiguous(), linear)));
    const Tensor transposed = randomTensor("t", {30, rows}, a).t();
    QVERIFY(sameBits(a.product(transposed, linear),
                     a.product(transposed.contiguous(), linear)));
  }
  const Tensor columns = randomTensor("vectors", {30, 3}, a);
  const Tensor u = randomTensor("u", {19, 2}, a);
  QVERIFY(sameBits(a.materialisedProduct(columns.select(1, 0), linear, u.select(1, 1),
                                         columns.select(1, 2)),
                   a.materialisedProduct(columns.select(1, 0).contiguous(), linear,
                                         u.select(1, 1).contiguous(),
                                         columns.select(1, 2).contiguous())));
}

void tst_arithmetic::roundingIsToNearestEven() {
  const Arithmetic a = arithmetic();
  if (a.weightType() == a.wide()) {
    const Tensor x = randomTensor("x", {1000}, a) / 3.0;
    QVERIFY(sameBits(a.round(x), x));
    return;
  }
  // Finite 16-bit values, midpoints of neighbours, and the floats next to the midpoints.
  const Tensor patterns = at::arange(-32768, 32768, at::kInt).to(at::kShort);
  const Tensor all = patterns.view(a.weightType()).to(at::kFloat);
  const Tensor finite = std::get<0>(all.masked_select(all.isfinite()).sort());
  const auto* sorted = finite.data_ptr<float>();
  std::vector<float> values;
  for (std::int64_t i = 0; i + 1 < finite.size(0); ++i) {
    const float middle = 0.5F * sorted[i] + 0.5F * sorted[i + 1];
    values.insert(values.end(), {sorted[i], middle, std::nextafter(middle, INFINITY),
                                 std::nextafter(middle, -INFINITY)});
  }
  const Tensor x = at::tensor(values);
  const Tensor rounded = a.round(x);
  QCOMPARE(rounded.scalar_type(), at::kFloat);
  QVERIFY(sameBits(a.round(rounded), rounded));
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (rounded.data_ptr<float>()[i] != roundedTo(values[i], a.dtype())) ++wrong;
  QCOMPARE(wrong, 0);
}

void tst_arithmetic::knownValuesAreRoundedCorrectly_data() {
  QTest::addColumn<int>("type");
  QTest::addColumn<double>("value");
  QTest::addColumn<double>("rounded");
  const int b = static_cast<int>(DType::BF16), h = static_cast<int>(DType::F16);
  QTest::newRow("bf16 tie down") << b << 1.0 + 0x1p-8 << 1.0;
  QTest::newRow("bf16 tie up") << b << 1.0 + 3 * 0x1p-8 << 1.0 + 0x1p-6;
  QTest::newRow("bf16 above a tie") << b << 1.0 + 0x1p-8 + 0x1p-20 << 1.0 + 0x1p-7;
  QTest::newRow("bf16 keeps the range") << b << 0x1p127 << 0x1p127;
  QTest::newRow("bf16 overflows") << b << 0x1.fffffep127 << kInfinity;
  QTest::newRow("f16 tie down") << h << -(1.0 + 0x1p-11) << -1.0;
  QTest::newRow("f16 tie up") << h << 1.0 + 3 * 0x1p-11 << 1.0 + 0x1p-9;
  QTest::newRow("f16 largest") << h << 65519.0 << 65504.0;
  QTest::newRow("f16 overflows") << h << -65520.0 << -kInfinity;
  QTest::newRow("f16 half the smallest") << h << 0x1p-25 << 0.0;
  QTest::newRow("f16 subnormal tie") << h << 3 * 0x1p-25 << 0x1p-23;
  QTest::newRow("f16 infinity stays") << h << kInfinity << kInfinity;
}

void tst_arithmetic::knownValuesAreRoundedCorrectly() {
  QFETCH(int, type);
  QFETCH(double, value);
  QFETCH(double, rounded);
  const Arithmetic a(static_cast<DType>(type), at::kCPU);
  QVERIFY(a.round(at::full({3}, value, at::kFloat)).eq(rounded).all().item<bool>());
  QVERIFY(a.round(value) == rounded);
  QVERIFY(std::isnan(a.round(std::numeric_limits<double>::quiet_NaN())));
}

void tst_arithmetic::aValueIsRoundedLikeATensor() {
  const Arithmetic a = arithmetic();
  for (const float value : randomValues("numbers", 200)) {
    const double third = static_cast<double>(value) / 3.0;
    const Tensor wide = at::full({1}, third, at::kDouble).to(a.wide());
    QVERIFY(a.round(third) == a.round(wide).to(at::kDouble).item<double>());
  }
  // Gemma 3 1B's embedding scale.
  const double root = a.round(std::sqrt(1152.0));
  if (a.dtype() == DType::BF16) QVERIFY(root == 34.0);
  if (a.dtype() == DType::F16) QVERIFY(root == 33.9375);
  if (a.dtype() == DType::F64) QVERIFY(root == std::sqrt(1152.0));
}

void tst_arithmetic::materialisedProductIsThatOfTheStoredMatrix() {
  QFETCH(qint64, outputs);
  QFETCH(qint64, inputs);
  for (const auto order : {SummationOrder::Standard, SummationOrder::Alternate}) {
    const Arithmetic a = arithmetic(order);
    const Linear linear = randomLinear("W", outputs, inputs, a, Bias::With);
    const Tensor x = randomTensor("x", {inputs}, a);
    // As in a run, u and w have values that 16 bits cannot represent.
    const Tensor u = randomTensor("u", {outputs}, a) / 3.0;
    const Tensor w = randomTensor("w", {inputs}, a) / 7.0;
    const Linear stored = patched(linear, u, w, a.dtype());
    const Tensor y = a.materialisedProduct(x, linear, u, w);
    QVERIFY(sameBits(y, a.product(x.unsqueeze(0), stored)[0]));
    const Tensor none = at::zeros_like(u);
    QVERIFY(sameBits(a.materialisedProduct(x, linear, none, w),
                     a.product(x.unsqueeze(0), linear)[0]));
  }
}

/// A product of many rows expands W in three tiles, the last of three rows. A patched
/// product expands blocks of 24 rows, the last of eleven.
void tst_arithmetic::packedMatricesGiveTheProductsOfExpandedOnes() {
  const Arithmetic a = arithmetic();
  const std::int64_t outputs = 131, inputs = 1 << 16;
  const Tensor bytes =
      (at::arange(outputs * inputs / 2) * 2654435761L % 253).to(at::kByte);
  const Tensor scales = (at::arange(outputs * inputs / 32) % 7 + 121).to(at::kByte);
  const Linear packed{.weight = {},
                      .bias = randomTensor("b", {outputs}, a),
                      .packed = {bytes.view({outputs, inputs / 32, 16}),
                                 scales.view({outputs, inputs / 32})}};
  const Linear expanded{.weight = packed.rows(0, outputs, a.weightOptions()),
                        .bias = packed.bias};
  QVERIFY(toMatrix(expanded.weight).cwiseAbs().maxCoeff() > 1.0);
  const Tensor x = randomTensor("x", {3, inputs}, a);
  const Tensor u = randomTensor("u", {outputs}, a), w = randomTensor("w", {inputs}, a);
  for (const auto order : {SummationOrder::Standard, SummationOrder::Alternate}) {
    const Arithmetic b = a.with(order);
    QVERIFY(sameBits(b.product(x, packed), b.product(x, expanded)));
    QVERIFY(sameBits(b.materialisedProduct(x[0], packed, u, w),
                     b.materialisedProduct(x[0], expanded, u, w)));
  }
  const Tensor prompt = randomTensor("x", {Arithmetic::kFewRows + 1, inputs}, a);
  const Matrix exact = toMatrix(prompt) * toMatrix(expanded.weight).transpose();
  const Matrix withBias = exact.rowwise() + toMatrix(packed.bias).row(0);
  const double sizes = toMatrix(expanded.weight).cwiseAbs().maxCoeff() *
                       toMatrix(prompt).cwiseAbs().maxCoeff();
  const double unit = a.wide() == at::kDouble ? 0x1p-53 : 0x1p-24;
  QVERIFY(distance(a.product(prompt, packed), withBias) <
          std::sqrt(inputs) * unit * static_cast<double>(inputs) * sizes);
}

EQUIPATCH_TEST(tst_arithmetic)
#include "tst_arithmetic.moc"
