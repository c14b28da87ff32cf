// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/hand_table.h"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/run/backend.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::shared_ptr<const StepRecord> firstStep(const std::shared_ptr<const Session>& session,
                                            bool keepFactors) {
  RunRequest request;
  request.prompt = test::tokensOf({5, 6, 7, 8, 9});
  request.steps = 1;
  request.keepFactors = keepFactors;
  SilentProgress silent;
  const auto comparison = backend().makeComparison(session, request);
  comparison->prefill(silent);
  return comparison->step();
}

bool isNear(double a, double b) {
  return std::abs(a - b) < 1e-4 * (1.0 + std::abs(b));
}

}  // namespace

class tst_hand_table : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void thePatchedWeightRowGivesTheContextualValue_data() {
    QTest::addColumn<QString>("model");
    for (const char* name : {"gemma3_text", "llama2_gqa"})
      QTest::newRow(name) << QString::fromLatin1(name);
  }

  void thePatchedWeightRowGivesTheContextualValue() {
    QFETCH(QString, model);
    const auto session = test::goldenSession(model.toStdString());
    const auto step = firstStep(session, true);
    for (std::size_t layer = 0; layer < step->layers.size(); ++layer) {
      const auto table = handTable(*session, *step, layer, 4);
      QVERIFY(table && table->channels.size() == 4);
      QVERIFY(std::abs(table->difference) > 1e-3);
      QVERIFY(isNear(table->all.before + table->all.added, table->all.patched));
      QVERIFY(isNear(table->all.patched, table->all.contextual));
      QVERIFY(isNear(table->all.added, table->difference));
      QVERIFY(!isNear(table->all.before, table->all.contextual));
      double listed = table->others.contextual;
      for (const HandTable::Channel& channel : table->channels) {
        listed += channel.weight * channel.zContext;
        // ΔW = u z / ‖z‖², as one computes it with a calculator.
        const double change = table->difference * channel.z / table->zSquared;
        QVERIFY(std::abs(channel.change - change) <= 1e-6 * std::abs(change));
      }
      QVERIFY(isNear(listed, table->all.contextual));
      QCOMPARE(table->otherCount + 4, std::size_t(session->spec().width));
      QVERIFY(std::abs(table->channels[0].z) >= std::abs(table->channels[1].z));
    }
  }

  void missingFactorsAndLayersHaveNoTable() {
    const auto session = test::goldenSession("llama2_gqa");
    QVERIFY(!handTable(*session, *firstStep(session, false), 0, 4));
    QVERIFY(!handTable(*session, *firstStep(session, true), 99, 4));
  }

  void activationsThatAreNotFiniteHaveNoTable() {
    const auto session = test::goldenSession("llama2_gqa");
    StepRecord step = *firstStep(session, true);
    QVERIFY(step.factors && handTable(*session, step, 0, 4));
    PatchFactors factors = *step.factors;
    factors[0].z[1] = std::numeric_limits<double>::quiet_NaN();
    step.factors = std::make_shared<const PatchFactors>(std::move(factors));
    QVERIFY(!handTable(*session, step, 0, 4));
  }

  void mixturesWithADenseMlpHaveACorrectTable() {
    const test::TinySession mixture({.family = "gemma4_mixture"});
    const auto step = firstStep(mixture.session, true);
    for (std::size_t layer = 0; layer < step->layers.size(); ++layer) {
      const auto table = handTable(*mixture.session, *step, layer, 4);
      QVERIFY(table);
      QCOMPARE(table->matrix, std::string("W_gate"));
      QVERIFY(isNear(table->all.patched, table->all.contextual));
      QVERIFY(isNear(table->all.added, table->difference));
    }
  }

  void transposedOrRoundedWeightsHaveNoTable() {
    // A square matrix has the same shape when transposed.
    const test::TinySession transposed({.family = "gpt2", .mlpWidth = 32});
    const test::TinySession rounded({}, DType::BF16);
    const test::TinySession half({.dtype = DType::BF16}, DType::F16);
    for (const auto& session : {transposed.session, rounded.session, half.session})
      QVERIFY(!handTable(*session, *firstStep(session, true), 0, 4));
    const test::TinySession plain{{}};
    const test::TinySession widened({.dtype = DType::BF16}, DType::F32);
    for (const auto& session : {plain.session, widened.session})
      QVERIFY(handTable(*session, *firstStep(session, true), 0, 4));
  }
};

EQUIPATCH_TEST(tst_hand_table)
#include "tst_hand_table.moc"
