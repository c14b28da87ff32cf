#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_theorem : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void floatsDifferByRoundingOnly();
};

void tst_theorem::floatsDifferByRoundingOnly() {
  test::Changes changes = test::tiny();
  changes["dtype"] = "float32";
  changes["grid"] = "4";  // an odd one has x = 0, for which there is no update
  const LabResult result = test::runLab("theorem", changes);
  QCOMPARE(test::panelProblem(result), std::string());
  const double mean =
      test::scalar(result, "mean difference of the outputs over the grid");
  QVERIFY2(mean > 1e-10 && mean < 1e-5, qPrintable(QString::number(mean)));
}

EQUIPATCH_TEST(tst_theorem)
#include "tst_theorem.moc"
