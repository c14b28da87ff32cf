#include "core/base/this_machine.h"

#include <QDateTime>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_this_machine : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void tellsTheTimeInUtc();
  void namesTheProcessorOnOneLine();
};

void tst_this_machine::tellsTheTimeInUtc() {
  const QString text = QString::fromStdString(utcNow());
  const QDateTime told = QDateTime::fromString(text, Qt::ISODate);
  QVERIFY2(told.isValid() && text.endsWith('Z'), qPrintable(text));
  QVERIFY(std::abs(told.secsTo(QDateTime::currentDateTimeUtc())) <= 60);
}

void tst_this_machine::namesTheProcessorOnOneLine() {
  const std::string name = processorName();
  QCOMPARE(name.find('\n'), std::string::npos);
  QVERIFY(!name.starts_with(' '));
}

EQUIPATCH_TEST(tst_this_machine)
#include "tst_this_machine.moc"
