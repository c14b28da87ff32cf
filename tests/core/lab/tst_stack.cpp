// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_stack : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void updatesReplaceTheContextInEveryBlock();
};

void tst_stack::updatesReplaceTheContextInEveryBlock() {
  test::Changes changes = test::tiny();
  changes["blocks"] = "4";
  const LabResult result = test::runLab("stack", changes);
  QCOMPARE(test::panelProblem(result), std::string());
  const LabCurve& blocks =
      test::panel(result, "Difference of the outputs by block").curves.at(0);
  QCOMPARE(blocks.x, (std::vector<double>{1, 2, 3, 4}));
  QVERIFY(test::scalar(result, "largest difference of any block's output") < 1e-11);
  const LabPanel& losses = test::panel(result, "Validation loss");
  QVERIFY(std::abs(losses.curves[0].y.back() - losses.curves[1].y.back()) < 1e-10);
}

EQUIPATCH_TEST(tst_stack)
#include "tst_stack.moc"
