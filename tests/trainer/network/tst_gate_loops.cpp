#include "trainer/network/gate_loops.h"

#include "tests/support/test_case.h"
#include "tests/trainer/network/numbers.h"
#include "trainer/network/bfloat.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kGateRows = 3;
constexpr std::int64_t kGateWidth = 21;

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

std::vector<double> reference(const std::vector<float>& in) {
  std::vector<double> out;
  for (std::int64_t row = 0; row < kGateRows; ++row)
    for (std::int64_t i = 0; i < kGateWidth; ++i) {
      const float* gates = in.data() + 2 * row * kGateWidth;
      out.push_back(gelu(gates[i]) * gates[kGateWidth + i]);
    }
  return out;
}

}  // namespace

class tst_gate_loops : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void forwardsIsTheFormula() {
    std::vector<float> out(kGateRows * kGateWidth);
    applyGate(kGateRows, kGateWidth, m_in.data(), out.data());
    const std::vector<double> expected = reference(m_in);
    for (std::size_t i = 0; i < out.size(); ++i)
      QVERIFY(isNear(out[i], expected[i], 1e-6));
  }

  void backwardsIsTheSlope() {
    const std::vector<float> dOut = randomNumbers(kGateRows * kGateWidth, 2);
    std::vector<float> dIn(m_in.size());
    applyGateBackward(kGateRows, kGateWidth, m_in.data(), dOut.data(), dIn.data());
    const auto loss = [&](const std::vector<float>& in) {
      const std::vector<double> out = reference(in);
      double sum = 0;
      for (std::size_t i = 0; i < out.size(); ++i) sum += out[i] * dOut[i];
      return sum;
    };
    const auto along = randomNumbers(2 * kGateRows * kGateWidth, 3);
    QVERIFY(isNear(dot(dIn, along), slope(loss, m_in, along, 1e-3), 1e-4));
  }

  /// exp of what is inside overflows; a training once ended here.
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

  void bfloatsDifferByTheirRounding() {
    const std::vector<Bfloat> in(m_in.begin(), m_in.end());
    std::vector<Bfloat> out(kGateRows * kGateWidth);
    applyGate(kGateRows, kGateWidth, in.data(), out.data());
    const std::vector<double> expected = reference({in.begin(), in.end()});
    for (std::size_t i = 0; i < out.size(); ++i)
      QVERIFY(isNear(out[i], expected[i], 1.0 / 256));
  }

 private:
  std::vector<float> m_in = randomNumbers(2 * kGateRows * kGateWidth, 1, 3);
};

EQUIPATCH_TEST(tst_gate_loops)
#include "tst_gate_loops.moc"
