// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_convergence : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void updatesEqualGradientDescent();
};

void tst_convergence::updatesEqualGradientDescent() {
  const LabResult result = test::runLab("convergence", test::tiny());
  QCOMPARE(test::panelProblem(result), std::string());
  QVERIFY(test::scalar(result, "largest relative difference from gradient descent") <
          1e-13);
}

EQUIPATCH_TEST(tst_convergence)
#include "tst_convergence.moc"
