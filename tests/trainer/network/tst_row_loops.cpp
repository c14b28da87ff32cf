// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_case.h"
#include "tests/trainer/network/numbers.h"
#include "trainer/network/row_loops.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kRows = 5;
constexpr std::int64_t kWidth = 37;  // not a multiple of a vector register

NormRows rowsWith(const std::vector<float>& scale) {
  return {.rows = kRows, .width = kWidth, .epsilon = 1e-6f, .scale = scale.data()};
}

/// RMSNorm by its formula, in double precision.
std::vector<double> referenceNorm(const std::vector<float>& x,
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

constexpr std::int64_t kGateRows = 3;
constexpr std::int64_t kGateWidth = 21;

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

std::vector<double> referenceGate(const std::vector<float>& in) {
  std::vector<double> out;
  for (std::int64_t row = 0; row < kGateRows; ++row)
    for (std::int64_t i = 0; i < kGateWidth; ++i) {
      const float* gates = in.data() + 2 * row * kGateWidth;
      out.push_back(gelu(gates[i]) * gates[kGateWidth + i]);
    }
  return out;
}

constexpr std::int64_t kVocabulary = 29;
const std::vector<std::int32_t> kSuccessors = {0, 28, 7};

std::vector<double> softmax(const float* logits) {
  double sum = 0;
  for (std::int64_t i = 0; i < kVocabulary; ++i) sum += std::exp(double{logits[i]});
  std::vector<double> probabilities;
  for (std::int64_t i = 0; i < kVocabulary; ++i)
    probabilities.push_back(std::exp(double{logits[i]}) / sum);
  return probabilities;
}

}  // namespace

class tst_row_loops : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void normForwardEqualsTheFormula() {
    std::vector<float> y(m_x.size());
    normalise(rowsWith(m_scale), m_x.data(), y.data());
    std::vector<float> stream(m_x.size(), 2.0f);
    addNormalised(rowsWith(m_scale), m_x.data(), stream.data());
    const std::vector<double> expected = referenceNorm(m_x, m_scale);
    for (std::size_t i = 0; i < y.size(); ++i) {
      QVERIFY(isNear(y[i], expected[i], 1e-6));
      QVERIFY(isNear(stream[i], 2 + expected[i], 1e-6));
    }
  }

  void normsOfBfloatsDifferByRounding() {
    const std::vector<Bfloat> x(m_x.begin(), m_x.end());
    const std::vector<float> rounded(x.begin(), x.end());
    std::vector<Bfloat> y(m_x.size());
    normalise(rowsWith(m_scale), m_x.data(), y.data());
    std::vector<float> stream(m_x.size());
    addNormalised(rowsWith(m_scale), x.data(), stream.data());
    const std::vector<double> exact = referenceNorm(m_x, m_scale);
    const std::vector<double> ofRounded = referenceNorm(rounded, m_scale);
    for (std::size_t i = 0; i < y.size(); ++i) {
      QVERIFY(isNear(y[i], exact[i], 1.0 / 256));
      QVERIFY(isNear(stream[i], ofRounded[i], 1e-6));
    }
  }

  void normBackwardEqualsFiniteDifferences() {
    const std::vector<float> dY = randomNumbers(kRows * kWidth, 3);
    std::vector<float> dX(m_x.size(), 1.0f);  // added to
    std::vector<float> dScale(kWidth, 1.0f);
    normaliseBackward(rowsWith(m_scale), m_x.data(), dY.data(), dX.data(), dScale.data());
    const auto loss = [&](const std::vector<float>& x, const std::vector<float>& scale) {
      const std::vector<double> y = referenceNorm(x, scale);
      double sum = 0;
      for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dY[i];
      return sum;
    };
    const auto along = randomNumbers(kRows * kWidth, 4);
    double ones = dot(std::vector<float>(along.size(), 1.0f), along);
    QVERIFY(isNear(dot(dX, along) - ones,
                   directionalDerivative([&](const auto& x) { return loss(x, m_scale); },
                                         m_x, along, 1e-3),
                   1e-4));
    const auto alongScale = randomNumbers(kWidth, 5);
    ones = dot(std::vector<float>(kWidth, 1.0f), alongScale);
    QVERIFY(isNear(dot(dScale, alongScale) - ones,
                   directionalDerivative([&](const auto& s) { return loss(m_x, s); },
                                         m_scale, alongScale, 1e-3),
                   1e-4));
    std::vector<float> set(m_x.size(), 9.0f);  // overwritten
    std::vector<float> again(kWidth, 1.0f);
    addNormalisedBackward(rowsWith(m_scale), m_x.data(), dY.data(), set.data(),
                          again.data());
    for (std::size_t i = 0; i < set.size(); ++i) QVERIFY(isNear(set[i], dX[i] - 1, 1e-5));
    QCOMPARE(again, dScale);
  }

  void geluAndItsDerivativeEqualTheFormulas() {
    const auto x = randomNumbers(kWidth, 1, 5);
    const auto dOut = randomNumbers(kWidth, 2);
    std::vector<float> out(x.size()), dIn(x.size());
    applyGelu(kWidth, x.data(), out.data());
    applyGeluBackward(kWidth, x.data(), dOut.data(), dIn.data());
    constexpr double kStep = 1e-5;
    for (std::size_t i = 0; i < x.size(); ++i) {
      QVERIFY(isNear(out[i], gelu(x[i]), 1e-5));
      const double derivative = (gelu(x[i] + kStep) - gelu(x[i] - kStep)) / (2 * kStep);
      QVERIFY(isNear(dIn[i], dOut[i] * derivative, 1e-5));
    }
  }

  void gateForwardEqualsTheFormula() {
    std::vector<float> out(kGateRows * kGateWidth);
    applyGate(kGateRows, kGateWidth, m_in.data(), out.data());
    const std::vector<double> expected = referenceGate(m_in);
    for (std::size_t i = 0; i < out.size(); ++i)
      QVERIFY(isNear(out[i], expected[i], 1e-6));
  }

  void gateBackwardEqualsFiniteDifferences() {
    const std::vector<float> dOut = randomNumbers(kGateRows * kGateWidth, 2);
    std::vector<float> dIn(m_in.size());
    applyGateBackward(kGateRows, kGateWidth, m_in.data(), dOut.data(), dIn.data());
    const auto loss = [&](const std::vector<float>& in) {
      const std::vector<double> out = referenceGate(in);
      double sum = 0;
      for (std::size_t i = 0; i < out.size(); ++i) sum += out[i] * dOut[i];
      return sum;
    };
    const auto along = randomNumbers(2 * kGateRows * kGateWidth, 3);
    QVERIFY(
        isNear(dot(dIn, along), directionalDerivative(loss, m_in, along, 1e-3), 1e-4));
  }

  /// exp of tanh's argument would overflow for these inputs.
  void largeInputsStayFinite() {
    std::vector<float> in(2, 1.0f);
    std::vector<float> dIn(2);
    for (const float gate : {-1e4f, -60.0f, 60.0f, 1e4f}) {
      in[0] = gate;
      float out = 0;
      const float one = 1;
      applyGate(1, 1, in.data(), &out);
      applyGateBackward(1, 1, in.data(), &one, dIn.data());
      QVERIFY(isNear(out, gate > 0 ? gate : 0, 1e-6));
      QVERIFY(isNear(dIn[0], gate > 0 ? 1 : 0, 1e-3));
    }
  }

  void gatesOfBfloatsDifferByRounding() {
    const std::vector<Bfloat> in(m_in.begin(), m_in.end());
    std::vector<Bfloat> out(kGateRows * kGateWidth);
    applyGate(kGateRows, kGateWidth, in.data(), out.data());
    const std::vector<double> expected = referenceGate({in.begin(), in.end()});
    for (std::size_t i = 0; i < out.size(); ++i)
      QVERIFY(isNear(out[i], expected[i], 1.0 / 256));
  }

  void lossAndGradientEqualTheFormulas() {
    std::vector<float> logits = m_logits;
    std::vector<float> losses(kSuccessors.size());
    crossEntropy(kVocabulary, kSuccessors, 0.5f, logits.data(), losses.data());
    for (std::size_t row = 0; row < kSuccessors.size(); ++row) {
      const auto successor = static_cast<std::size_t>(kSuccessors[row]);
      const auto probabilities = softmax(m_logits.data() + row * kVocabulary);
      QVERIFY(isNear(losses[row], -std::log(probabilities[successor]), 1e-5));
      for (std::size_t i = 0; i < kVocabulary; ++i)
        QVERIFY(isNear(logits[row * kVocabulary + i],
                       0.5 * (probabilities[i] - (i == successor ? 1 : 0)), 1e-5));
    }
  }

  void gradientScale0LeavesLogitsUnchanged() {
    std::vector<float> logits = m_logits;
    std::vector<float> losses(kSuccessors.size());
    crossEntropy(kVocabulary, kSuccessors, 0, logits.data(), losses.data());
    QCOMPARE(logits, m_logits);
    QVERIFY(losses[0] > 0);
  }

  void largeLogitsDoNotOverflow() {
    std::vector<float> logits(kVocabulary, -1e4f);
    logits[3] = 1e4f;
    float loss = 0;
    const std::vector<std::int32_t> successor = {3};
    crossEntropy(kVocabulary, successor, 1, logits.data(), &loss);
    QVERIFY(isNear(loss, 0, 1e-6));
    for (const float gradient : logits) QVERIFY(isNear(gradient, 0, 1e-6));
  }

  void lossesOfBfloatsDifferByRounding() {
    std::vector<Bfloat> logits(m_logits.begin(), m_logits.end());
    const std::vector<float> rounded(logits.begin(), logits.end());
    std::vector<float> losses(kSuccessors.size());
    crossEntropy(kVocabulary, kSuccessors, 1, logits.data(), losses.data());
    const auto probabilities = softmax(rounded.data());
    QVERIFY(isNear(losses[0], -std::log(probabilities[0]), 1e-5));
    QVERIFY(isNear(logits[1], probabilities[1], 1.0 / 256));
  }

 private:
  std::vector<float> m_x = randomNumbers(kRows * kWidth, 1, 3);
  std::vector<float> m_scale = randomNumbers(kWidth, 2);
  std::vector<float> m_in = randomNumbers(2 * kGateRows * kGateWidth, 1, 3);
  std::vector<float> m_logits =
      randomNumbers(static_cast<std::int64_t>(kSuccessors.size()) * kVocabulary, 1, 4);
};

EQUIPATCH_TEST(tst_row_loops)
#include "tst_row_loops.moc"
