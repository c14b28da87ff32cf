// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_fine_tuning : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void lossesBeginEqualAndAlignmentsAreBounded();
  void tuningAtRateZeroKeepsTheLoss();
};

void tst_fine_tuning::lossesBeginEqualAndAlignmentsAreBounded() {
  const LabResult result = test::runLab("fine-tuning", test::tiny());
  QCOMPARE(test::panelProblem(result), std::string());
  const LabPanel& losses = test::panel(result, "Test loss by examples");
  QVERIFY(std::abs(losses.curves[0].y[0] - losses.curves[1].y[0]) < 1e-12);
  QCOMPARE(losses.curves[1].x.size(), 9u);
  QVERIFY(losses.curves[1].y.back() != losses.curves[1].y.front());
  for (const double cosine :
       test::panel(result, "Alignment of the two updates").curves[0].y)
    QVERIFY(std::abs(cosine) <= 1.0);
}

void tst_fine_tuning::tuningAtRateZeroKeepsTheLoss() {
  test::Changes changes = test::tiny();
  changes["tuning_rate"] = "0";
  const LabResult result = test::runLab("fine-tuning", changes);
  const LabCurve& tuned = test::panel(result, "Test loss by examples").curves[1];
  for (const double loss : tuned.y) QCOMPARE(loss, tuned.y.front());
}

EQUIPATCH_TEST(tst_fine_tuning)
#include "tst_fine_tuning.moc"
