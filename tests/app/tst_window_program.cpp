// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window_program.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_window_program : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void helpNeedsNoDisplay_data();
  void helpNeedsNoDisplay();
  void pagesNeedNoDisplay_data();
  void pagesNeedNoDisplay();
};

void tst_window_program::helpNeedsNoDisplay_data() {
  QTest::addColumn<QString>("argument");
  QTest::addColumn<QString>("expected");
  QTest::newRow("help") << "--help"
                        << "MODELDIR";
  QTest::newRow("short help") << "-h"
                              << "MODELDIR";
  QTest::newRow("all help") << "--help-all"
                            << "MODELDIR";
  QTest::newRow("version") << "--version"
                           << "quipatch";
}

void tst_window_program::helpNeedsNoDisplay() {
  QFETCH(QString, argument);
  QFETCH(QString, expected);
  const WindowResult result = runWithoutDisplay({argument});
  QVERIFY2(result.exitCode == 0, result.err.constData());
  QVERIFY(result.out.contains(expected.toUtf8()));
}

void tst_window_program::pagesNeedNoDisplay_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArrayList>("parts");
  QTest::newRow("manual") << QStringList{"--manual"}
                          << QByteArrayList{"\\fB\\-\\-steps\\fR \\fIN\\fR",
                                            "\\fB\\-\\-kind\\fR", ".SH KEYS"};
  QTest::newRow("bash") << QStringList{"--completion", "bash"}
                        << QByteArrayList{"'figure --kind') echo 'generation ", "--steps",
                                          "':files.eqrun'"};
  QTest::newRow("zsh") << QStringList{"--completion", "zsh"}
                       << QByteArrayList{"--prompt=[", "--kind=[", "_files -g"};
}

void tst_window_program::pagesNeedNoDisplay() {
  QFETCH(QStringList, arguments);
  QFETCH(QByteArrayList, parts);
  const WindowResult result = runWithoutDisplay(arguments);
  QVERIFY2(result.exitCode == 0, result.err.constData());
  for (const QByteArray& part : parts)
    QVERIFY2(result.out.contains(part), (part + " is not in " + result.out).constData());
}

EQUIPATCH_TEST(tst_window_program)
#include "tst_window_program.moc"
