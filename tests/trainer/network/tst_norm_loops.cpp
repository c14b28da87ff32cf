#include "trainer/network/norm_loops.h"

#include "tests/support/test_case.h"
#include "tests/trainer/network/numbers.h"
#include "trainer/network/bfloat.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kRows = 5;
constexpr std::int64_t kWidth = 37;  // no multiple of a vector register

NormRows rowsWith(const std::vector<float>& scale) {
  return {.rows = kRows, .width = kWidth, .epsilon = 1e-6f, .scale = scale.data()};
}

/// The formula in double.
std::vector<double> reference(const std::vector<float>& x,
                              const std::vector<float>& scale) {
  std::vector<double> y;
  for (std::int64_t row = 0; row < kRows; ++row) {
    double squares = 0;
    const float* values = x.data() + row * kWidth;
    for (std::int64_t i = 0; i < kWidth; ++i)
      squares += static_cast<double>(values[i]) * values[i];
    const double rms = std::sqrt(squares / kWidth + 1e-6);
    for (std::int64_t i = 0; i < kWidth; ++i)
      y.push_back(values[i] / rms * (1.0 + scale[static_cast<std::size_t>(i)]));
  }
  return y;
}

}  // namespace

class tst_norm_loops : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void forwardsIsTheFormula() {
    std::vector<float> y(m_x.size());
    normalise(rowsWith(m_scale), m_x.data(), y.data());
    std::vector<float> stream(m_x.size(), 2.0f);
    addNormalised(rowsWith(m_scale), m_x.data(), stream.data());
    const std::vector<double> expected = reference(m_x, m_scale);
    for (std::size_t i = 0; i < y.size(); ++i) {
      QVERIFY(isNear(y[i], expected[i], 1e-6));
      QVERIFY(isNear(stream[i], 2 + expected[i], 1e-6));
    }
  }

  void bfloatsDifferByTheirRounding() {
    const std::vector<Bfloat> x(m_x.begin(), m_x.end());
    const std::vector<float> rounded(x.begin(), x.end());
    std::vector<Bfloat> y(m_x.size());
    normalise(rowsWith(m_scale), m_x.data(), y.data());
    std::vector<float> stream(m_x.size());
    addNormalised(rowsWith(m_scale), x.data(), stream.data());
    const std::vector<double> exact = reference(m_x, m_scale);
    const std::vector<double> ofRounded = reference(rounded, m_scale);
    for (std::size_t i = 0; i < y.size(); ++i) {
      QVERIFY(isNear(y[i], exact[i], 1.0 / 256));
      QVERIFY(isNear(stream[i], ofRounded[i], 1e-6));
    }
  }

  void backwardsIsTheSlope() {
    const std::vector<float> dY = randomNumbers(kRows * kWidth, 3);
    std::vector<float> dX(m_x.size(), 1.0f);  // added to
    std::vector<float> dScale(kWidth, 1.0f);
    normaliseBackward(rowsWith(m_scale), m_x.data(), dY.data(), dX.data(), dScale.data());
    const auto loss = [&](const std::vector<float>& x, const std::vector<float>& scale) {
      const std::vector<double> y = reference(x, scale);
      double sum = 0;
      for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dY[i];
      return sum;
    };
    const auto along = randomNumbers(kRows * kWidth, 4);
    double ones = dot(std::vector<float>(along.size(), 1.0f), along);
    QVERIFY(isNear(
        dot(dX, along) - ones,
        slope([&](const auto& x) { return loss(x, m_scale); }, m_x, along, 1e-3), 1e-4));
    const auto alongScale = randomNumbers(kWidth, 5);
    ones = dot(std::vector<float>(kWidth, 1.0f), alongScale);
    QVERIFY(isNear(
        dot(dScale, alongScale) - ones,
        slope([&](const auto& s) { return loss(m_x, s); }, m_scale, alongScale, 1e-3),
        1e-4));
    std::vector<float> set(m_x.size(), 9.0f);  // overwritten
    std::vector<float> again(kWidth, 1.0f);
    addNormalisedBackward(rowsWith(m_scale), m_x.data(), dY.data(), set.data(),
                          again.data());
    for (std::size_t i = 0; i < set.size(); ++i) QVERIFY(isNear(set[i], dX[i] - 1, 1e-5));
    QCOMPARE(again, dScale);
  }

 private:
  std::vector<float> m_x = randomNumbers(kRows * kWidth, 1, 3);
  std::vector<float> m_scale = randomNumbers(kWidth, 2);
};

EQUIPATCH_TEST(tst_norm_loops)
#include "tst_norm_loops.moc"
