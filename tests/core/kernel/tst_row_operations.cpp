// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/row_operations.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <set>
#include <vector>

#include "core/kernel/threads.h"
#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

template <typename Real>
std::vector<Real> normalisedRows(const Eigen::MatrixXd& x, const RowNorm& norm) {
  std::vector<Real> from, n(static_cast<std::size_t>(x.size()));
  for (Eigen::Index row = 0; row < x.rows(); ++row)
    for (Eigen::Index column = 0; column < x.cols(); ++column)
      from.push_back(static_cast<Real>(x(row, column)));
  normaliseRows(from.data(), x.rows(), x.cols(), norm, n.data());
  return n;
}

Eigen::RowVectorXd normalisedByDefinition(Eigen::RowVectorXd row, const RowNorm& norm) {
  if (norm.centred) row.array() -= row.mean();
  return row /
         std::sqrt(row.squaredNorm() / static_cast<double>(row.size()) + norm.epsilon);
}

template <typename Real>
double largestError(const std::vector<Real>& n, const Eigen::MatrixXd& x,
                    const RowNorm& norm) {
  double largest = 0.0;
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    const Eigen::RowVectorXd expected = normalisedByDefinition(x.row(row), norm);
    for (Eigen::Index column = 0; column < x.cols(); ++column) {
      const auto at = static_cast<std::size_t>(row * x.cols() + column);
      const double difference = std::abs(double{n[at]} - expected(column));
      // std::max would drop a NaN.
      largest = std::isnan(difference) ? HUGE_VAL : std::max(largest, difference);
    }
  }
  return largest;
}

template <typename Real>
struct Heads {
  explicit Heads(const HeadShape& given) : shape(given) {
    x = Source(4).vector<Real>(shape.rows * shape.heads * shape.headDim);
    for (const Real angle : Source(5).vector<Real>(shape.rows * shape.pairs)) {
      cosine.push_back(std::cos(angle));
      sine.push_back(std::sin(angle));
    }
  }
  std::vector<Real> rotated() const {
    std::vector<Real> y(x.size());
    rotateHeads(shape, x.data(), cosine.data(), sine.data(), y.data());
    return y;
  }

  HeadShape shape;
  std::vector<Real> x, cosine, sine;
};

/// The index of the pair's first element in its head, and the distance to the second.
std::pair<std::int64_t, std::int64_t> placeOf(const HeadShape& shape, std::int64_t pair) {
  return shape.neighbours ? std::pair{2 * pair, std::int64_t{1}}
                          : std::pair{pair, shape.pairs};
}

constexpr SelfGate kGates[] = {{}, {1.702}, {1.5957691216057308, 0.0713548162726009}};

struct Expected {
  double y;
  double tolerance;  // relative, before y is rounded
};

/// The tolerance bounds the kernel's error. For float, the kernel's series for exp has a
/// relative error of at most 1e-11. For double, the kernel rounds t; this causes a
/// relative error of exp(−t) that grows with |t|.
template <typename T>
Expected gatedByDefinition(SelfGate gate, T x) {
  const long double t =
      gate.a * static_cast<long double>(x) + gate.b * static_cast<long double>(x) * x * x;
  const double rounding = std::numeric_limits<double>::epsilon() *
                          (4.0 + 2.0 * std::abs(static_cast<double>(t)));
  return {static_cast<double>(x / (1.0L + std::exp(-t))),
          sizeof(T) == sizeof(float) ? 1e-11 : rounding};
}

/// True if the relative error is at most half a unit in the last place plus the
/// tolerance. Also allows an absolute error of 1e-300 for double, because the kernel
/// limits the exponential to exp(709), and of the smallest subnormal for float.
template <typename T>
bool isNear(T y, Expected expected) {
  const double half = 0.501 * std::numeric_limits<T>::epsilon();
  return std::abs(y - expected.y) <=
         std::abs(expected.y) * (half + expected.tolerance) +
             std::max(1e-300, double{std::numeric_limits<T>::denorm_min()});
}

}  // namespace

class tst_row_operations : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { setKernelThreads(1); }
  void normEqualsItsDefinition_data();
  void normEqualsItsDefinition();
  void normalisedRowsAreIndependent();
  void overflowingSquaresGiveNaN();
  void summationOrdersDifferByRoundingAlone();
  void rotationMultipliesByAUnitComplexNumber_data() { shapes(); }
  void rotationMultipliesByAUnitComplexNumber();
  void componentsBeyondTheRotatedPairsAreCopied_data() { shapes(); }
  void componentsBeyondTheRotatedPairsAreCopied();
  void activationEqualsItsDefinition() {
    checkGate<float>();
    checkGate<double>();
  }
  void activationOfAnElementDependsOnItAlone();
  void activationIsFiniteExactlyWhereXIs();
  void squaredFrobeniusNormEqualsTheOracle_data();
  void squaredFrobeniusNormEqualsTheOracle();
  void squaredNormsMayExceedTheRangeOfFloats();
  void squaredFrobeniusNormOfAnEmptyMatrixIsZero();
  void squareSumsAreTheSameWithEveryInstructionSet();

 private:
  template <typename T>
  void checkGate();

  static void shapes() {
    QTest::addColumn<bool>("neighbours");
    QTest::addColumn<int>("pairs");
    for (const bool neighbours : {false, true})
      for (const int pairs : {1, 3, 8})
        QTest::addRow("%d %s", pairs, neighbours ? "neighbours" : "halves")
            << neighbours << pairs;
  }
};

void tst_row_operations::normEqualsItsDefinition_data() {
  QTest::addColumn<int>("width");
  QTest::addColumn<bool>("centred");
  QTest::addColumn<int>("order");
  for (const int width : {1, 2, 15, 16, 17, 64, 1152})
    for (const bool centred : {false, true})
      for (const SummationOrder order :
           {SummationOrder::Standard, SummationOrder::Alternate})
        QTest::addRow("%d%s%s", width, centred ? ", centred" : "",
                      order == SummationOrder::Alternate ? ", other order" : "")
            << width << centred << static_cast<int>(order);
}

void tst_row_operations::normEqualsItsDefinition() {
  QFETCH(int, width);
  QFETCH(bool, centred);
  QFETCH(int, order);
  const RowNorm norm{centred, 1e-3, static_cast<SummationOrder>(order)};
  const Eigen::MatrixXd x = Source(7).matrix(5, width);
  QVERIFY(largestError(normalisedRows<double>(x, norm), x, norm) < 1e-13);
  QVERIFY(largestError(normalisedRows<float>(x, norm), x, norm) < 2e-5);
}

void tst_row_operations::normalisedRowsAreIndependent() {
  const Eigen::MatrixXd x = Source(8).matrix(300, 1000);
  const std::vector<float> all = normalisedRows<float>(x, {});
  for (const Eigen::Index row : {0, 17, 299}) {
    const std::vector<float> alone = normalisedRows<float>(x.row(row), {});
    QVERIFY(std::equal(alone.begin(), alone.end(), all.begin() + row * 1000));
  }
}

/// 1 / sqrt(∞) = 0 would make the row 0 and hide the overflow.
void tst_row_operations::overflowingSquaresGiveNaN() {
  for (const bool centred : {false, true}) {
    std::vector<float> x(40), n(40);
    for (std::size_t at = 0; at < x.size(); ++at) x[at] = at % 2 == 0 ? 1e25F : -2e25F;
    normaliseRows(x.data(), 1, 40, {.centred = centred, .epsilon = 1e-6}, n.data());
    for (const float value : n) QVERIFY(std::isnan(value));
    x.assign(40, 1e18F);
    x[0] = -1e18F;
    normaliseRows(x.data(), 1, 40, {.centred = centred, .epsilon = 1e-6}, n.data());
    QVERIFY(allFinite(n) && n[1] > 0.0F);
  }
}

void tst_row_operations::summationOrdersDifferByRoundingAlone() {
  const Eigen::MatrixXd x = Source(9).matrix(64, 999);
  const auto standard = normalisedRows<float>(x, {});
  const auto other = normalisedRows<float>(x, {.order = SummationOrder::Alternate});
  QVERIFY(standard != other);
  for (std::size_t i = 0; i < standard.size(); ++i)
    QVERIFY(std::abs(standard[i] - other[i]) < 2e-6F * std::abs(standard[i]) + 1e-30F);
}

void tst_row_operations::rotationMultipliesByAUnitComplexNumber() {
  QFETCH(bool, neighbours);
  QFETCH(int, pairs);
  const Heads<double> heads({3, 2, 17, pairs, neighbours});
  const std::vector<double> y = heads.rotated();
  for (std::int64_t row = 0; row < 3; ++row)
    for (std::int64_t head = 0; head < 2; ++head)
      for (std::int64_t pair = 0; pair < pairs; ++pair) {
        const auto [first, apart] = placeOf(heads.shape, pair);
        const auto at = static_cast<std::size_t>((row * 2 + head) * 17 + first);
        const auto angle = static_cast<std::size_t>(row * pairs + pair);
        const std::size_t other = at + static_cast<std::size_t>(apart);
        const std::complex<double> expected =
            std::complex(heads.x[at], heads.x[other]) *
            std::complex(heads.cosine[angle], heads.sine[angle]);
        QVERIFY(std::abs(y[at] - expected.real()) < 1e-15);
        QVERIFY(std::abs(y[other] - expected.imag()) < 1e-15);
      }
}

void tst_row_operations::componentsBeyondTheRotatedPairsAreCopied() {
  QFETCH(bool, neighbours);
  QFETCH(int, pairs);
  const Heads<float> heads({3, 2, 17, pairs, neighbours});
  const std::vector<float> y = heads.rotated();
  for (std::size_t i = 0; i < y.size(); ++i)
    if (static_cast<int>(i % 17) >= 2 * pairs) QVERIFY(y[i] == heads.x[i]);
}

template <typename T>
void tst_row_operations::checkGate() {
  std::vector<T> x = Source(1).vector<T>(3001);
  for (std::size_t i = 0; i < x.size(); i += 2) x[i] *= 8;
  std::vector<T> y(x.size());
  for (const InstructionSet set : runnableSets()) {
    const ForcedSet forced(set);
    for (const SelfGate gate : kGates) {
      selfGate(gate, x, y);
      for (std::size_t i = 0; i < x.size(); ++i)
        QVERIFY(isNear(y[i], gatedByDefinition(gate, x[i])));
    }
  }
}

void tst_row_operations::activationOfAnElementDependsOnItAlone() {
  const std::vector<float> x = Source(2).vector<float>(100);
  std::vector<float> all(x.size());
  selfGate(kGates[2], x, all);
  for (std::size_t first = 0; first < x.size(); first += 7)
    for (const std::size_t count : {1U, 3U, 8U, 31U, 33U}) {
      if (first + count > x.size()) continue;
      std::vector<float> part(x.begin() + first, x.begin() + first + count);
      part.push_back(7.0F);
      selfGate(kGates[2], std::span(part).first(count), std::span(part).first(count));
      QVERIFY(part.back() == 7.0F);
      part.pop_back();
      QVERIFY(sameBits(part, {all.begin() + first, all.begin() + first + count}));
    }
}

void tst_row_operations::activationIsFiniteExactlyWhereXIs() {
  std::vector<float> x{std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::infinity(), -1e38F};
  selfGate({}, x, x);
  QVERIFY(std::isnan(x[0]) && !std::isfinite(x[1]) && std::abs(x[2]) < 1e-30F);
}

void tst_row_operations::squaredFrobeniusNormEqualsTheOracle_data() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<int>("outputs");
  QTest::addColumn<int>("inputs");
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    for (const auto& [outputs, inputs] : {std::pair{1, 1}, {3, 17}, {300, 1000}})
      QTest::addRow("%s %dx%d", std::string(torchName(dtype)).c_str(), outputs, inputs)
          << static_cast<int>(dtype) << outputs << inputs;
}

void tst_row_operations::squaredFrobeniusNormEqualsTheOracle() {
  QFETCH(int, dtype);
  QFETCH(int, outputs);
  QFETCH(int, inputs);
  const StoredMatrix W =
      Source(6).storedMatrix(static_cast<DType>(dtype), outputs, inputs);
  setKernelThreads(1);
  const double one = squaredFrobeniusNorm(W.weights());
  QVERIFY(std::abs(one / W.values.squaredNorm() - 1.0) < 1e-13);
  setKernelThreads(3);  // only the largest matrix is worth several threads
  QVERIFY(squaredFrobeniusNorm(W.weights()) == one);
}

void tst_row_operations::squaredNormsMayExceedTheRangeOfFloats() {
  const StoredMatrix W =
      stored(DType::F32, Eigen::MatrixXd::Constant(2, 2, std::ldexp(1.0, 100)));
  QCOMPARE(squaredFrobeniusNorm(W.weights()), std::ldexp(1.0, 202));
}

void tst_row_operations::squaredFrobeniusNormOfAnEmptyMatrixIsZero() {
  QCOMPARE(squaredFrobeniusNorm({nullptr, DType::F32, 0, 5}), 0.0);
}

void tst_row_operations::squareSumsAreTheSameWithEveryInstructionSet() {
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    for (const int count : {0, 1, 15, 16, 17, 1000}) {
      const StoredMatrix W = Source(7).storedMatrix(dtype, 1, count);
      std::set<double> sums;
      for (const InstructionSet set : runnableSets()) {
        const ForcedSet forced(set);
        sums.insert(squareSum(dtype, W.weights().data, count));
      }
      QCOMPARE(sums.size(), std::size_t{1});
      QVERIFY(std::abs(*sums.begin() - W.values.squaredNorm()) <= 1e-13 * *sums.begin());
    }
  std::vector<std::uint16_t> smallest(32, 1);  // subnormal in float16
  for (const InstructionSet set : runnableSets()) {
    const ForcedSet forced(set);
    QCOMPARE(squareSum(DType::F16, smallest.data(), 32), std::ldexp(32.0, -48));
    smallest[3] = 0x7c00;  // infinite in float16
    QVERIFY(std::isinf(squareSum(DType::F16, smallest.data(), 32)));
    smallest[3] = 1;
  }
}

EQUIPATCH_TEST(tst_row_operations)
#include "tst_row_operations.moc"
