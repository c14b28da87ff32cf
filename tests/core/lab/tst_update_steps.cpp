#include "core/lab/update_steps.h"

#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_update_steps : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyPairHasAStep();
};

void tst_update_steps::everyPairHasAStep() {
  const LabResult result = test::runLab("convergence", test::tiny());
  const LabCurve& steps =
      test::panel(result, "Change of ΔW with each further pair").curves.at(0);
  QCOMPARE(steps.x.size(), 8u);
  QCOMPARE(steps.x.front(), 0.0);
  QCOMPARE(steps.error.size(), 8u);
  QCOMPARE(steps.y.front(), test::scalar(result, "change of ΔW by the first pair"));
  QCOMPARE(steps.y.back(), test::scalar(result, "change of ΔW by the last pair"));
  // Attention's mean moves by about 1/i with the i-th pair.
  QVERIFY(steps.y.back() < 0.7 * steps.y.front());
}

EQUIPATCH_TEST(tst_update_steps)
#include "tst_update_steps.moc"
