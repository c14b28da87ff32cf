#include "core/base/this_machine.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_this_machine : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void tellsTheTimeInUtc();
  void namesTheProcessor_data();
  void namesTheProcessor();
  void namesThisProcessor();
};

void tst_this_machine::tellsTheTimeInUtc() {
  const QString text = QString::fromStdString(utcNow());
  const QDateTime told = QDateTime::fromString(text, Qt::ISODate);
  QVERIFY2(told.isValid() && text.endsWith('Z'), qPrintable(text));
  QVERIFY(std::abs(told.secsTo(QDateTime::currentDateTimeUtc())) <= 60);
}

void tst_this_machine::namesTheProcessor_data() {
  QTest::addColumn<QByteArray>("told");  // by the system
  QTest::addColumn<QString>("name");
  QTest::newRow("two alike")
      << QByteArray(
             "processor\t: 0\nmodel\t\t: 2\n"
             "model name\t: Ideal CPU: X @ 3 GHz\nflags\t: a\n\n"
             "processor\t: 1\nmodel name\t: Ideal CPU: X @ 3 GHz\n")
      << "Ideal CPU: X @ 3 GHz";
  QTest::newRow("no end of the line") << QByteArray("model name\t: CPU") << "CPU";
  QTest::newRow("of ARM") << QByteArray("processor\t: 0\nCPU part\t: 0xd0c\n") << "";
  QTest::newRow("nothing") << QByteArray() << "";
}

void tst_this_machine::namesTheProcessor() {
  QFETCH(QByteArray, told);
  QFETCH(QString, name);
  const QTemporaryDir root;
  QVERIFY(QDir(root.path()).mkpath("proc"));
  QFile file(root.filePath("proc/cpuinfo"));
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(told) == told.size());
  file.close();
  QCOMPARE(QString::fromStdString(processorName(root.path().toStdString())), name);
  QCOMPARE(processorName("/nowhere"), std::string());
}

void tst_this_machine::namesThisProcessor() {
  QFile info("/proc/cpuinfo");
  if (!info.open(QIODevice::ReadOnly)) QSKIP("this system has no /proc");
  const QByteArray told = info.readAll();
  const std::string name = processorName();
  QCOMPARE(name.empty(), !told.contains("model name\t: "));
  if (!name.empty()) QVERIFY(told.contains("\t: " + QByteArray(name.c_str()) + "\n"));
}

EQUIPATCH_TEST(tst_this_machine)
#include "tst_this_machine.moc"
