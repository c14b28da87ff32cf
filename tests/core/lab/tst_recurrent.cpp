#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_recurrent : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theEqualityHoldsWithoutAttention();
};

void tst_recurrent::theEqualityHoldsWithoutAttention() {
  test::Changes changes = test::tiny();
  changes["grid"] = "3";
  const LabResult result = test::runLab("rnn", changes);
  QCOMPARE(test::panelProblem(result), std::string());
  QVERIFY(test::scalar(result, "largest difference of the outputs over the grid") <
          1e-11);
  QVERIFY(test::scalar(result, "change of ΔW by the last pair") > 0.0);
}

EQUIPATCH_TEST(tst_recurrent)
#include "tst_recurrent.moc"
