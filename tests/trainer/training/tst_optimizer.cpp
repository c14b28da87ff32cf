// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/training/optimizer.h"

#include <cmath>

#include "tests/support/test_case.h"
#include "tests/trainer/network/numbers.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

const NetworkShape kShape = {
    .vocabulary = 5, .width = 4, .mlpWidth = 3, .layers = 1, .heads = 1, .kvHeads = 1};

TrainingState stateWith(const std::vector<float>& parameters) {
  return {.parameters = parameters,
          .expAvg = std::vector<float>(parameters.size()),
          .expAvgSq = std::vector<float>(parameters.size())};
}

}  // namespace

class tst_optimizer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// Compares with the paper's algorithm, one parameter at a time, in double.
  void stepsFollowThePapersAlgorithm() {
    const ParameterLayout layout(kShape);
    const auto start = randomNumbers(layout.size(), 1);
    TrainingState state = stateWith(start);
    const AdamwOptions options{.clip = 1e9f};
    const Adamw optimizer(layout.parameters(), options);
    const std::vector<double> rates = {1e-2, 5e-3, 2e-2};
    std::vector<std::vector<float>> gradients;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      gradients.push_back(randomNumbers(layout.size(), 2 + i));
      optimizer.step(state, gradients.back(), rates[i]);
    }
    QCOMPARE(state.step, 3);
    for (const Parameter& parameter : layout.parameters())
      for (std::int64_t j = 0; j < parameter.count; ++j) {
        const auto at = static_cast<std::size_t>(parameter.offset + j);
        double value = start[at];
        double m = 0;
        double v = 0;
        const double decay = parameter.kind == ParameterKind::Matrix ? options.decay : 0;
        for (std::size_t i = 0; i < rates.size(); ++i) {
          const double g = gradients[i][at];
          m = options.beta1 * m + (1 - options.beta1) * g;
          v = options.beta2 * v + (1 - options.beta2) * g * g;
          const double t = static_cast<double>(i + 1);
          const double mHat = m / (1 - std::pow(options.beta1, t));
          const double vHat = v / (1 - std::pow(options.beta2, t));
          value -=
              rates[i] * (mHat / (std::sqrt(vHat) + options.epsilon) + decay * value);
        }
        QVERIFY2(isNear(state.parameters[at], value, 1e-5), parameter.name.c_str());
      }
  }

  void largeGradientsAreClipped() {
    const ParameterLayout layout(kShape);
    const Adamw optimizer(layout.parameters(), {.clip = 0.5f});
    std::vector<float> gradient(static_cast<std::size_t>(layout.size()), 3.0f);
    TrainingState state = stateWith(std::vector<float>(gradient.size()));
    const double norm = optimizer.step(state, gradient, 1e-3);
    QVERIFY(isNear(norm, 3 * std::sqrt(static_cast<double>(gradient.size())), 1e-6));
    // The running mean holds a tenth of the clipped gradient.
    QVERIFY(isNear(std::sqrt(dot(state.expAvg, state.expAvg)), 0.1 * 0.5, 1e-5));
  }

  void aGradientThatIsNotFiniteChangesNothing() {
    const ParameterLayout layout(kShape);
    const Adamw optimizer(layout.parameters(), {});
    const auto start = randomNumbers(layout.size(), 1);
    TrainingState state = stateWith(start);
    for (const float wrong : {INFINITY, NAN}) {
      std::vector<float> gradient(start.size(), 1.0f);
      gradient.back() = wrong;
      QVERIFY_ERROR(optimizer.step(state, gradient, 0.1), "the gradient of step 0");
      QCOMPARE(state.step, 0);
      QCOMPARE(state.parameters, start);
      QCOMPARE(state.expAvg, std::vector<float>(start.size()));
    }
  }

  void aZeroGradientOnlyDecaysMatrices() {
    const ParameterLayout layout(kShape);
    const Adamw optimizer(layout.parameters(), {.decay = 0.5f});
    const std::vector<float> gradient(static_cast<std::size_t>(layout.size()));
    TrainingState state = stateWith(std::vector<float>(gradient.size(), 1.0f));
    optimizer.step(state, gradient, 0.1);
    for (const Parameter& parameter : layout.parameters())
      QVERIFY(isNear(state.parameters[static_cast<std::size_t>(parameter.offset)],
                     parameter.kind == ParameterKind::Matrix ? 0.95 : 1.0, 1e-6));
  }
};

EQUIPATCH_TEST(tst_optimizer)
#include "tst_optimizer.moc"
