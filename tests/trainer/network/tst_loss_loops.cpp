#include "trainer/network/loss_loops.h"

#include "tests/support/test_case.h"
#include "tests/trainer/network/numbers.h"
#include "trainer/network/bfloat.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

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

class tst_loss_loops : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void lossAndGradientAreTheFormulas() {
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

  void withoutAScaleLogitsStay() {
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

  void bfloatsDifferByTheirRounding() {
    std::vector<Bfloat> logits(m_logits.begin(), m_logits.end());
    const std::vector<float> rounded(logits.begin(), logits.end());
    std::vector<float> losses(kSuccessors.size());
    crossEntropy(kVocabulary, kSuccessors, 1, logits.data(), losses.data());
    const auto probabilities = softmax(rounded.data());
    QVERIFY(isNear(losses[0], -std::log(probabilities[0]), 1e-5));
    QVERIFY(isNear(logits[1], probabilities[1], 1.0 / 256));
  }

 private:
  std::vector<float> m_logits =
      randomNumbers(static_cast<std::int64_t>(kSuccessors.size()) * kVocabulary, 1, 4);
};

EQUIPATCH_TEST(tst_loss_loops)
#include "tst_loss_loops.moc"
