// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/rotary.h"

#include <cmath>

#include "tests/core/model/eigen_tensor.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

RopeSpec llama3Spec() {
  return {.theta = 500000.0,
          .dims = 16,
          .scaling = RopeScaling::Llama3,
          .factor = 8.0,
          .lowFreqFactor = 1.0,
          .highFreqFactor = 4.0,
          .originalPositions = 8192};
}

RotaryPositions positions(const std::vector<double>& values) {
  return {at::tensor(values, at::kDouble), 0};
}

std::vector<double> frequencies(RopeSpec spec, std::int64_t dims, DType dtype) {
  spec.dims = dims;
  return rotaryFrequencies(spec, 0, dtype);
}

Rotary rotaryOf(RopeSpec spec, std::int64_t dims, const Arithmetic& arithmetic) {
  spec.dims = dims;
  return Rotary(spec, arithmetic);
}

}  // namespace

class tst_rotary : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void frequenciesFollowTheScaling_data();
  void frequenciesFollowTheScaling();
  void frequenciesAreFloat32ExceptInFloat64();
  void linearScalingDividesTheFloat32Frequencies();
  void rotatedPairsAreHalfAHeadApart();
  void positionZeroRotatesNothing();
  void distantPositionsFollowTheFormula();
  void interleavedPairsAreNeighbours();
  void componentsBeyondTheDimsStay();
  void yarnBlendsByPair();
  void magnitudeScalesTheRotatedVectors();
  void theDynamicBaseGrowsWithTheText();
  void longTextsTakeTheLongFactors();
  void proportionalScalingTurnsOnlyTheFirstPairs();
  void rotationKeepsTheLength_data() { dtypes(); }
  void rotationKeepsTheLength();
  void scoresDependOnlyOnDistance();
  void rowsAndHeadsRotateIndependently();

 private:
  static void dtypes() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
      QTest::newRow(std::string(torchName(dtype)).c_str()) << static_cast<int>(dtype);
  }
};

void tst_rotary::frequenciesFollowTheScaling_data() {
  QTest::addColumn<int>("scaling");
  QTest::addColumn<double>("theta");
  QTest::addColumn<QList<double>>("expected");
  QTest::newRow("none") << static_cast<int>(RopeScaling::None) << 10000.0
                        << QList<double>{1.0, 0.1, 0.01, 0.001};
  QTest::newRow("none, another base") << static_cast<int>(RopeScaling::None) << 1e8
                                      << QList<double>{1.0, 1e-2, 1e-4, 1e-6};
  QTest::newRow("linear") << static_cast<int>(RopeScaling::Linear) << 10000.0
                          << QList<double>{0.125, 0.0125, 0.00125, 0.000125};
  // Scaling keeps frequencies with wavelengths below 8192 / 4, and divides those with
  // wavelengths above 8192 by 8. The fifth, 1/√500000 = 1.41421e-3, has the wavelength
  // 4442.88. Its smooth factor (8192 / 4442.88 − 1) / 3 = 0.28128 gives
  // 1.41421e-3 · (0.28128 + 0.71872 / 8).
  QTest::newRow("llama3") << static_cast<int>(RopeScaling::Llama3) << 500000.0
                          << QList<double>{1.0,
                                           0.19392274474868576,
                                           0.03760603093086393,
                                           0.007292664737217109,
                                           0.0005248461609929547,
                                           2.742481756762073e-04 / 8.0,
                                           5.318295896944987e-05 / 8.0,
                                           1.0313385377212455e-05 / 8.0};
}

void tst_rotary::frequenciesFollowTheScaling() {
  QFETCH(int, scaling);
  QFETCH(double, theta);
  QFETCH(QList<double>, expected);
  RopeSpec spec = llama3Spec();
  spec.scaling = static_cast<RopeScaling>(scaling);
  spec.theta = theta;
  const auto headDim = 2 * static_cast<std::int64_t>(expected.size());
  const std::vector<double> found = frequencies(spec, headDim, DType::F64);
  QCOMPARE(static_cast<qsizetype>(found.size()), expected.size());
  for (std::size_t pair = 0; pair < found.size(); ++pair) {
    const double value = expected[static_cast<qsizetype>(pair)];
    QVERIFY(std::abs(found[pair] / value - 1.0) < 1e-12);
  }
}

void tst_rotary::frequenciesAreFloat32ExceptInFloat64() {
  for (const RopeScaling scaling :
       {RopeScaling::None, RopeScaling::Linear, RopeScaling::Llama3}) {
    RopeSpec spec = llama3Spec();
    spec.scaling = scaling;
    const auto exact = frequencies(spec, 64, DType::F64);
    const auto narrow = frequencies(spec, 64, DType::F32);
    bool differs = false;
    for (std::size_t pair = 0; pair < exact.size(); ++pair) {
      QVERIFY(narrow[pair] == static_cast<double>(static_cast<float>(narrow[pair])));
      QVERIFY(std::abs(narrow[pair] / exact[pair] - 1.0) < 2e-7);
      differs = differs || narrow[pair] != exact[pair];
    }
    QVERIFY(differs);
    QVERIFY(frequencies(spec, 64, DType::BF16) == narrow);
    QVERIFY(frequencies(spec, 64, DType::F16) == narrow);
  }
}

/// As in transformers, which scales frequencies that are already float32.
void tst_rotary::linearScalingDividesTheFloat32Frequencies() {
  const RopeSpec plain{.theta = 500000.0};
  RopeSpec linear = plain;
  linear.scaling = RopeScaling::Linear;
  linear.factor = 3.0;
  const auto before = frequencies(plain, 256, DType::F32);
  const auto after = frequencies(linear, 256, DType::F32);
  for (std::size_t pair = 0; pair < before.size(); ++pair)
    QVERIFY(static_cast<float>(after[pair]) == static_cast<float>(before[pair]) / 3.0F);
}

void tst_rotary::rotatedPairsAreHalfAHeadApart() {
  const Arithmetic a(DType::F64, at::kCPU);
  const Rotary rotary = rotaryOf({.theta = 100.0}, 4, a);    // frequencies 1 and 0.1
  const Tensor unit = at::eye(4, at::kDouble).unsqueeze(1);  // four rows of one head
  const Matrix rotated = toMatrix(rotary.rotate(unit, positions({2, 2, 2, 2})));
  Matrix expected(4, 4);
  const double c = std::cos(2.0), s = std::sin(2.0), d = std::cos(0.2), t = std::sin(0.2);
  expected << c, 0, s, 0,  //
      0, d, 0, t,          //
      -s, 0, c, 0,         //
      0, -t, 0, d;
  QVERIFY(distance(rotated, expected) < 1e-15);
}

/// `order` makes neighbours of the two components of each half-split pair.
void tst_rotary::interleavedPairsAreNeighbours() {
  const Arithmetic a(DType::F64, at::kCPU);
  RopeSpec spec{.theta = 100.0, .dims = 12};
  const Tensor x = randomTensor("x", {4, 3, 12}, a);
  const RotaryPositions where = positions({3, 1, 7, 90});
  const Tensor halves = Rotary(spec, a).rotate(x, where);
  spec.pairs = RopePairs::Interleaved;
  const Tensor order = at::tensor({0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}, at::kLong);
  const Tensor neighbours = Rotary(spec, a).rotate(x.index_select(2, order), where);
  QVERIFY(distance(neighbours, halves.index_select(2, order)) < 1e-15);
}

void tst_rotary::componentsBeyondTheDimsStay() {
  const Arithmetic a(DType::F64, at::kCPU);
  const Tensor x = randomTensor("x", {3, 2, 16}, a);
  for (const RopePairs pairs : {RopePairs::HalfSplit, RopePairs::Interleaved}) {
    const RopeSpec spec{.theta = 50.0, .dims = 6, .pairs = pairs};
    const Rotary rotary(spec, a);
    const Tensor rotated = rotary.rotate(x, positions({2, 5, 11}));
    QVERIFY(sameBits(rotated.narrow(2, 6, 10), x.narrow(2, 6, 10)));
    QVERIFY(sameBits(rotated.narrow(2, 0, 6),
                     rotary.rotate(x.narrow(2, 0, 6), positions({2, 5, 11}))));
  }
}

void tst_rotary::yarnBlendsByPair() {
  // Over 1024 positions, pair p makes 1024 / (2π 10000^(p/32)) turns: 32 at p = 5.66, one
  // at p = 17.70. With `truncate`, these bounds are rounded outwards to 5 and 18.
  RopeSpec spec{
      .theta = 10000.0, .dims = 64, .scaling = RopeScaling::Yarn, .factor = 4.0};
  spec.originalPositions = 1024;
  const RopeSpec plain{.theta = 10000.0, .dims = 64};
  const auto found = rotaryFrequencies(spec, 0, DType::F64);
  const auto before = rotaryFrequencies(plain, 0, DType::F64);
  for (std::size_t pair = 0; pair < 32; ++pair) {
    const double stretched =
        std::min(1.0, std::max(0.0, (static_cast<double>(pair) - 5.0) / 13.0));
    const double share = stretched / 4.0 + 1.0 - stretched;
    QVERIFY(std::abs(found[pair] / before[pair] - share) < 1e-12);
  }
  spec.truncate = false;
  const auto exact = rotaryFrequencies(spec, 0, DType::F64);
  const double low = 32.0 * std::log(1024.0 / (32.0 * 2.0 * M_PI)) / std::log(1e4);
  const double high = 32.0 * std::log(1024.0 / (2.0 * M_PI)) / std::log(1e4);
  const double stretched = (10.0 - low) / (high - low);
  QVERIFY(std::abs(exact[10] / before[10] - (stretched / 4.0 + 1.0 - stretched)) < 1e-12);
}

void tst_rotary::magnitudeScalesTheRotatedVectors() {
  const Arithmetic a(DType::F64, at::kCPU);
  RopeSpec spec{.theta = 100.0, .dims = 8};
  const Tensor x = randomTensor("x", {2, 1, 8}, a);
  const Tensor plain = Rotary(spec, a).rotate(x, positions({4, 9}));
  spec.magnitude = 1.25;
  QVERIFY(distance(Rotary(spec, a).rotate(x, positions({4, 9})), 1.25 * plain) < 1e-14);
}

void tst_rotary::theDynamicBaseGrowsWithTheText() {
  const Arithmetic a(DType::F64, at::kCPU);
  RopeSpec dynamic{
      .theta = 10000.0, .dims = 8, .scaling = RopeScaling::Dynamic, .factor = 2.0};
  dynamic.originalPositions = 100;
  const RopeSpec plain{.theta = 10000.0, .dims = 8};
  const Tensor x = randomTensor("x", {1, 1, 8}, a);
  const Tensor at60 = at::tensor({60.0}, at::kDouble);
  const Rotary rotary(dynamic, a);
  QVERIFY(sameBits(rotary.rotate(x, {at60, 100}), Rotary(plain, a).rotate(x, {at60, 0})));
  // At 300 positions: 10000 · (2 · 3 − 1)^(8/6).
  const RopeSpec grown{.theta = 10000.0 * std::pow(5.0, 8.0 / 6.0), .dims = 8};
  QVERIFY(distance(rotary.rotate(x, {at60, 300}), Rotary(grown, a).rotate(x, {at60, 0})) <
          1e-12);
}

void tst_rotary::positionZeroRotatesNothing() {
  const Arithmetic a(DType::F32, at::kCPU);
  const Tensor x = randomTensor("x", {1, 3, 16}, a);
  QVERIFY(at::equal(rotaryOf(llama3Spec(), 16, a).rotate(x, positions({0})), x));
}

void tst_rotary::distantPositionsFollowTheFormula() {
  const Arithmetic a(DType::F64, at::kCPU);
  const std::int64_t headDim = 12;
  const Tensor x = randomTensor("x", {3, 1, headDim}, a);
  const std::vector<double> where{1.0, 4097.0, 131071.0};
  const Matrix rotated =
      toMatrix(rotaryOf({.theta = 1e6}, headDim, a).rotate(x, positions(where)));
  const Matrix before = toMatrix(x);
  for (Eigen::Index row = 0; row < 3; ++row)
    for (Eigen::Index pair = 0; pair < 6; ++pair) {
      const double angle = where[static_cast<std::size_t>(row)] /
                           std::pow(1e6, static_cast<double>(pair) / 6.0);
      const double p = before(row, pair), q = before(row, pair + 6);
      QVERIFY(std::abs(rotated(row, pair) - (p * std::cos(angle) - q * std::sin(angle))) <
              1e-10);
      QVERIFY(std::abs(rotated(row, pair + 6) -
                       (q * std::cos(angle) + p * std::sin(angle))) < 1e-10);
    }
}

void tst_rotary::rotationKeepsTheLength() {
  QFETCH(int, dtype);
  const Arithmetic a(static_cast<DType>(dtype), at::kCPU);
  const Tensor x = randomTensor("x", {5, 2, 32}, a);
  const Tensor rotated =
      rotaryOf(llama3Spec(), 32, a).rotate(x, positions({1, 7, 100, 5000, 100000}));
  QCOMPARE(rotated.scalar_type(), a.wide());
  const double tolerance = a.wide() == at::kDouble ? 1e-14 : 1e-6;
  const Tensor before = x.to(at::kDouble).norm(2, -1),
               after = rotated.to(at::kDouble).norm(2, -1);
  QVERIFY(distance(after / before, at::ones({5, 2}, at::kDouble)) < tolerance);
  for (std::int64_t row = 0; row < 5; ++row)
    QVERIFY(distance(rotated[row], x[row]) > 0.1);
}

/// All tokens of a long text take the long factors. Therefore a long text cannot reuse
/// the cached keys of a short one.
void tst_rotary::longTextsTakeTheLongFactors() {
  const RopeSpec spec{.dims = 4,
                      .scaling = RopeScaling::LongRope,
                      .originalPositions = 6,
                      .magnitude = 1.5,
                      .shortFactors = {1.0, 2.0},
                      .longFactors = {4.0, 8.0}};
  const auto near = [](const std::vector<double>& found, double first, double second) {
    return std::abs(found[0] / first - 1.0) < 1e-12 &&
           std::abs(found[1] / second - 1.0) < 1e-12;
  };
  QVERIFY(near(rotaryFrequencies(spec, 6, DType::F64), 1.0, 0.01 / 2.0));
  QVERIFY(near(rotaryFrequencies(spec, 7, DType::F64), 0.25, 0.01 / 8.0));
  QVERIFY(rotatesAlike(spec, 1, 6) && rotatesAlike(spec, 7, 100));
  QVERIFY(!rotatesAlike(spec, 6, 7) && rotatesAlike({.dims = 4}, 6, 7));
  const Rotary rotary(spec, Arithmetic(DType::F64, at::kCPU));
  const Tensor first = at::tensor({2.0}, at::kDouble);
  for (const std::int64_t length : {6, 7}) {
    const double angle = length == 6 ? 2.0 : 0.5;
    const Tensor cosine = rotary.embedding({first, length}).cosine;
    QVERIFY(std::abs(cosine[0][0].item<double>() - 1.5 * std::cos(angle)) < 1e-12);
  }
}

void tst_rotary::proportionalScalingTurnsOnlyTheFirstPairs() {
  const RopeSpec spec{.dims = 8, .scaling = RopeScaling::Proportional, .turningPairs = 1};
  QVERIFY((rotaryFrequencies(spec, 0, DType::F64) ==
           std::vector<double>{1.0, 0.0, 0.0, 0.0}));
  RopeSpec slower = spec;
  slower.factor = 4.0;
  QVERIFY((rotaryFrequencies(slower, 0, DType::F64) ==
           std::vector<double>{0.25, 0.0, 0.0, 0.0}));
  const Arithmetic a(DType::F64, at::kCPU);
  const Tensor x = randomTensor("x", {1, 2, 8}, a);
  const Tensor y = Rotary(spec, a).rotate(x, positions({2.0}));
  for (std::int64_t i = 0; i < 8; ++i) {
    const bool turns = i == 0 || i == 4;  // halves of the whole head
    QCOMPARE(at::equal(x.select(2, i), y.select(2, i)), !turns);
  }
}

void tst_rotary::scoresDependOnlyOnDistance() {
  const Arithmetic a(DType::F64, at::kCPU);
  const Rotary rotary = rotaryOf(llama3Spec(), 16, a);
  const Tensor q = randomTensor("q", {1, 1, 16}, a), k = randomTensor("k", {1, 1, 16}, a);
  const auto score = [&](double i, double j) {
    return (rotary.rotate(q, positions({i})) * rotary.rotate(k, positions({j})))
        .sum()
        .item<double>();
  };
  for (const double shift : {1.0, 17.0, 1000.0})
    for (const double apart : {0.0, 1.0, 5.0, 300.0})
      QVERIFY(std::abs(score(apart + shift, shift) - score(apart, 0.0)) < 1e-11);
  QVERIFY(std::abs(score(5.0, 0.0) - score(0.0, 5.0)) > 1e-2);  // the sign matters
  QVERIFY(std::abs(score(5.0, 0.0) - score(6.0, 0.0)) > 1e-2);
}

void tst_rotary::rowsAndHeadsRotateIndependently() {
  const Arithmetic a(DType::F64, at::kCPU);
  const Rotary rotary = rotaryOf(llama3Spec(), 16, a);
  const Tensor x = randomTensor("x", {3, 4, 16}, a);
  const std::vector<double> where{9.0, 2.0, 40.0};  // not in order
  const Tensor all = rotary.rotate(x, positions(where));
  for (std::int64_t row = 0; row < 3; ++row)
    for (std::int64_t head = 0; head < 4; ++head) {
      const Tensor one = rotary.rotate(x[row][head].view({1, 1, 16}),
                                       positions({where[static_cast<std::size_t>(row)]}));
      QVERIFY(distance(all[row][head], one.view({16})) < 1e-15);
    }
}

EQUIPATCH_TEST(tst_rotary)
#include "tst_rotary.moc"
