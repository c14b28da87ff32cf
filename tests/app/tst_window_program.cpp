#include <QProcess>

#include "tests/support/test_case.h"

class tst_window_program : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void helpNeedsNoDisplay_data();
  void helpNeedsNoDisplay();
};

void tst_window_program::helpNeedsNoDisplay_data() {
  QTest::addColumn<QString>("argument");
  QTest::addColumn<QString>("expected");
  QTest::newRow("help") << "--help"
                        << "MODELDIR";
  QTest::newRow("short help") << "-h"
                              << "MODELDIR";
  QTest::newRow("version") << "--version"
                           << "quipatch";
}

void tst_window_program::helpNeedsNoDisplay() {
  QFETCH(QString, argument);
  QFETCH(QString, expected);
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    environment.remove(QString::fromLatin1(name));
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(EQUIPATCH_WINDOW), {argument});
  QVERIFY(process.waitForFinished(60'000));
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 0);
  QVERIFY(process.readAllStandardOutput().contains(expected.toUtf8()));
}

EQUIPATCH_TEST(tst_window_program)
#include "tst_window_program.moc"
