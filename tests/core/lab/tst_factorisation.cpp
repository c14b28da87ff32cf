// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_factorisation : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void eachTokenAddsRankOneAndKeepsTheOutput();
};

void tst_factorisation::eachTokenAddsRankOneAndKeepsTheOutput() {
  test::Changes changes = test::tiny();
  changes["pairs"] = "5";
  const LabResult result = test::runLab("factorisation", changes);
  QCOMPARE(test::panelProblem(result), std::string());
  QVERIFY(test::scalar(result, "largest difference of the output") < 1e-10);
  QCOMPARE(test::panel(result, "Rank of the update").curves[0].y,
           (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

EQUIPATCH_TEST(tst_factorisation)
#include "tst_factorisation.moc"
