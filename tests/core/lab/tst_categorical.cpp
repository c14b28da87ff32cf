// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_categorical : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void layersEqualStepsOnA_data();
  void layersEqualStepsOnA();
  void theModelContinuesARepeatedPattern();
  void learnedPositionsReduceTheLoss();
};

void tst_categorical::layersEqualStepsOnA_data() {
  QTest::addColumn<QByteArray>("kernel");
  QTest::addColumn<QByteArray>("projections");
  QTest::addColumn<QByteArray>("heads");
  QTest::addColumn<bool>("mercer");
  for (const char* kernel : {"linear", "rbf"}) {
    QTest::addRow("%s", kernel)
        << QByteArray(kernel) << QByteArray("shared") << QByteArray("1") << true;
    QTest::addRow("%s, 3 heads", kernel)
        << QByteArray(kernel) << QByteArray("shared") << QByteArray("3") << true;
    QTest::addRow("%s, own", kernel)
        << QByteArray(kernel) << QByteArray("own") << QByteArray("2") << false;
  }
  QTest::addRow("softmax") << QByteArray("softmax") << QByteArray("shared")
                           << QByteArray("1") << false;
}

void tst_categorical::layersEqualStepsOnA() {
  QFETCH(QByteArray, kernel);
  QFETCH(QByteArray, projections);
  QFETCH(QByteArray, heads);
  QFETCH(bool, mercer);
  const LabResult result =
      test::runLab("categorical", {{"kernel", kernel.toStdString()},
                                   {"projections", projections.toStdString()},
                                   {"heads", heads.toStdString()}});
  QCOMPARE(test::panelProblem(result), std::string());
  const double apart = test::scalar(result, "largest difference of the two ways");
  QVERIFY2(apart < 1e-10, qPrintable(QString::number(apart)));
  QCOMPARE(test::scalar(result, "asymmetry of the kernel, ‖K − Kᵀ‖ / ‖K‖") < 1e-12,
           mercer);
  QCOMPARE(result.notes.at(0).find("is a Mercer kernel") != std::string::npos, mercer);
}

void tst_categorical::theModelContinuesARepeatedPattern() {
  const LabResult result = test::runLab(
      "categorical", {{"text", "a b c a b c a b c a b"}, {"positions", "none"}});
  QVERIFY(test::scalar(result, "loss after the last layer") <
          0.5 * test::scalar(result, "loss before the first layer"));
  QVERIFY(result.notes.at(1).find("\"c\"") != std::string::npos);
}

void tst_categorical::learnedPositionsReduceTheLoss() {
  // Each of the two tokens has different successors; only its position tells which.
  const test::Changes text{{"text", "a a b a b b a a"}, {"position_steps", "60"}};
  test::Changes learned = text, none = text;
  learned["positions"] = "learned";
  none["positions"] = "none";
  const char* const loss = "loss after the last layer";
  QVERIFY(test::scalar(test::runLab("categorical", learned), loss) <
          0.8 * test::scalar(test::runLab("categorical", none), loss));
}

EQUIPATCH_TEST(tst_categorical)
#include "tst_categorical.moc"
