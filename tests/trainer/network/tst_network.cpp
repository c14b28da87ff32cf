// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/network/network.h"

#include <numeric>

#include "tests/support/test_case.h"
#include "tests/trainer/network/numbers.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

const NetworkShape kShape = {.vocabulary = 50,
                             .width = 24,
                             .mlpWidth = 20,
                             .layers = 3,
                             .heads = 2,
                             .kvHeads = 1,
                             .window = 6};

/// Two documents; only some of their tokens are targets.
Batch someBatch() {
  Batch batch;
  for (std::int32_t i = 0; i < 30; ++i) batch.ids.push_back(i * 7 % 50);
  batch.ends = {18, 30};
  batch.rows = {3, 4, 16, 20, 29};
  batch.successors = {1, 49, 7, 0, 30};
  return batch;
}

/// The second document alone.
Batch secondDocument() {
  const Batch both = someBatch();
  return {.ids = {both.ids.begin() + 18, both.ids.end()},
          .ends = {12},
          .rows = {2, 11},
          .successors = {0, 30}};
}

double sum(const std::vector<float>& losses) {
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

}  // namespace

class tst_network : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// The derivative is taken along a random direction within each parameter.
  void gradientEqualsFiniteDifferences_data() {
    QTest::addColumn<int>("index");
    const ParameterLayout layout(kShape);
    for (std::size_t i = 0; i < layout.parameters().size(); ++i)
      QTest::newRow(layout.parameters()[i].name.c_str()) << static_cast<int>(i);
  }
  void gradientEqualsFiniteDifferences() {
    QFETCH(int, index);
    const auto network = Network::create(kShape, Precision::Float32);
    network->setParameters(m_parameters);
    std::vector<float> gradient(m_parameters.size());
    network->backpropagate(someBatch(), 1, gradient);
    const Parameter& parameter =
        network->layout().parameters().at(static_cast<std::size_t>(index));
    std::vector<float> along(m_parameters.size());
    const auto part = randomNumbers(parameter.count, 3);
    std::ranges::copy(part, along.begin() + parameter.offset);
    const auto loss = [&](const std::vector<float>& parameters) {
      network->setParameters(parameters);
      return sum(network->losses(someBatch()));
    };
    QVERIFY(isNear(dot(gradient, along),
                   directionalDerivative(loss, m_parameters, along, 2e-3), 5e-3));
  }

  void documentsAreIndependent() {
    const auto network = Network::create(kShape, Precision::Float32);
    network->setParameters(m_parameters);
    const auto both = network->losses(someBatch());
    const auto alone = network->losses(secondDocument());
    QVERIFY(isNear(both[3], alone[0], 1e-5));
    QVERIFY(isNear(both[4], alone[1], 1e-5));
  }

  void backpropagateAddsTheScaledGradient() {
    const auto network = Network::create(kShape, Precision::Float32);
    network->setParameters(m_parameters);
    std::vector<float> once(m_parameters.size());
    std::vector<float> twice(m_parameters.size(), 1.0f);
    const auto losses = network->backpropagate(someBatch(), 1, once);
    network->backpropagate(someBatch(), 2, twice);
    for (std::size_t i = 0; i < once.size(); ++i)
      QVERIFY(isNear(twice[i], 1 + 2 * once[i], 1e-4));
    QCOMPARE(losses, network->losses(someBatch()));
  }

  void bfloat16IsCloseToFloat32() {
    const auto exact = Network::create(kShape, Precision::Float32);
    const auto rounded = Network::create(kShape, Precision::Bfloat16);
    exact->setParameters(m_parameters);
    rounded->setParameters(m_parameters);
    std::vector<float> gradient(m_parameters.size());
    std::vector<float> roundedGradient(m_parameters.size());
    const double loss = sum(exact->backpropagate(someBatch(), 1, gradient));
    const double roundedLoss =
        sum(rounded->backpropagate(someBatch(), 1, roundedGradient));
    QVERIFY(isNear(roundedLoss, loss, 0.02));
    QVERIFY(roundedLoss != loss);
    const double cosine =
        dot(gradient, roundedGradient) /
        std::sqrt(dot(gradient, gradient) * dot(roundedGradient, roundedGradient));
    QVERIFY(cosine > 0.995);
  }

  void documentsBeyondTheLastPositionAreRefused() {
    NetworkShape shape = kShape;
    shape.maxPositions = 17;
    const auto network = Network::create(shape, Precision::Float32);
    network->setParameters(m_parameters);
    QVERIFY_ERROR(network->losses(someBatch()), "18 tokens", "at most 17");
    QCOMPARE(network->losses(secondDocument()).size(), std::size_t{2});
  }

  void lossesEqualTheCrossEntropyOfTheLogits() {
    const auto network = Network::create(kShape, Precision::Float32);
    network->setParameters(m_parameters);
    const Batch batch = someBatch();
    const auto logits = network->logits(batch);
    const auto losses = network->losses(batch);
    QCOMPARE(logits.size(), batch.rows.size() * 50);
    for (std::size_t row = 0; row < losses.size(); ++row) {
      double total = 0;
      for (std::size_t i = 0; i < 50; ++i)
        total += std::exp(double{logits[row * 50 + i]});
      const auto successor = static_cast<std::size_t>(batch.successors[row]);
      QVERIFY(isNear(losses[row], std::log(total) - logits[row * 50 + successor], 1e-5));
    }
  }

 private:
  std::vector<float> m_parameters = randomNumbers(ParameterLayout(kShape).size(), 1, 0.4);
};

EQUIPATCH_TEST(tst_network)
#include "tst_network.moc"
