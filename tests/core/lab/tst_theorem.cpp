// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

LabResult evenGridResult() {
  test::Changes changes = test::tiny();
  changes["grid"] = "4";
  changes["dimension"] = "3";
  return test::runLab("theorem", changes);
}

}  // namespace

class tst_theorem : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void contextAndPatchGiveTheSameLoss();
  void closeUpPlotsTheLastThirdOfTheCurve();
  void theMapCoversTheGrid();
  void mapIsNanWhereTheUpdateIsUndefined();
  void theMiddleOfTheGridIsZeroInFloat32();

  void float32OutputsDifferByRoundingOnly();

  void theEqualityHoldsForARecurrentNetwork();
};

void tst_theorem::contextAndPatchGiveTheSameLoss() {
  const LabResult result = evenGridResult();
  const LabPanel& losses = test::panel(result, "Validation loss");
  QCOMPARE(losses.curves.size(), 2u);
  QCOMPARE(losses.curves[0].x.front(), 0.0);
  for (std::size_t look = 0; look < losses.curves[0].y.size(); ++look)
    QVERIFY(std::abs(losses.curves[0].y[look] - losses.curves[1].y[look]) < 1e-10);
  QVERIFY(
      test::scalar(result, "largest relative difference of the two validation losses") <
      1e-10);
}

void tst_theorem::closeUpPlotsTheLastThirdOfTheCurve() {
  const LabResult result = evenGridResult();
  const LabCurve& whole = test::panel(result, "Validation loss").curves[0];
  const LabCurve& part = test::panel(result, "Validation loss, close-up").curves[0];
  QCOMPARE(part.x.size(), whole.x.size() - whole.x.size() * 2 / 3);
  QCOMPARE(part.x.back(), whole.x.back());
}

void tst_theorem::theMapCoversTheGrid() {
  const LabResult result = evenGridResult();
  const auto& map = test::panel(result, "Mean difference, with context and patched").map;
  QVERIFY(map.has_value());
  QCOMPARE(map->x.size(), 4u);
  QCOMPARE(map->x.front(), -2.0);
  QCOMPARE(map->y.back(), 2.0);
  QCOMPARE(map->values.size(), 16u);
  QVERIFY(test::scalar(result, "largest difference of the outputs over the grid") <
          1e-10);
  QVERIFY(test::scalar(result, "mean size of the output over the grid") > 1e-3);
}

/// A grid with an odd side contains the query x = 0. Without a context, the attention
/// output of this query is 0, and the update would divide by 0.
void tst_theorem::mapIsNanWhereTheUpdateIsUndefined() {
  test::Changes changes = test::tiny();
  changes["grid"] = "3";
  const LabResult result = test::runLab("theorem", changes);
  const auto& map = test::panel(result, "Mean difference, with context and patched").map;
  for (std::size_t i = 0; i < 9; ++i) QCOMPARE(std::isnan(map->values[i]), i == 4);
  QVERIFY(test::scalar(result, "mean difference of the outputs over the grid") < 1e-10);
  QVERIFY(test::scalar(result, "largest difference of the outputs over the grid") <
          1e-10);
  QCOMPARE(result.notes.size(), std::size_t{1});
}

/// Adding steps to −2 in float32 would give a middle near 0, not 0.
void tst_theorem::theMiddleOfTheGridIsZeroInFloat32() {
  for (const int side : {11, 21}) {
    test::Changes changes = test::tiny();
    changes["grid"] = std::to_string(side);
    changes["dtype"] = "float32";
    const LabResult result = test::runLab("theorem", changes);
    const auto& map =
        test::panel(result, "Mean difference, with context and patched").map;
    const auto middle = static_cast<std::size_t>(side / 2);
    QCOMPARE(map->x[middle], 0.0);
    QVERIFY(std::isnan(map->values[middle * map->x.size() + middle]));
  }
}

void tst_theorem::float32OutputsDifferByRoundingOnly() {
  test::Changes changes = test::tiny();
  changes["dtype"] = "float32";
  changes["grid"] = "4";  // an odd side contains x = 0, which has no update
  const LabResult result = test::runLab("theorem", changes);
  QCOMPARE(test::panelProblem(result), std::string());
  const double mean =
      test::scalar(result, "mean difference of the outputs over the grid");
  QVERIFY2(mean > 1e-10 && mean < 1e-5, qPrintable(QString::number(mean)));
}

void tst_theorem::theEqualityHoldsForARecurrentNetwork() {
  test::Changes changes = test::tiny();
  changes["grid"] = "3";
  const LabResult result = test::runLab("rnn", changes);
  QCOMPARE(test::panelProblem(result), std::string());
  QVERIFY(test::scalar(result, "largest difference of the outputs over the grid") <
          1e-11);
  QVERIFY(test::scalar(result, "change of ΔW by the last pair") > 0.0);
}

EQUIPATCH_TEST(tst_theorem)
#include "tst_theorem.moc"
