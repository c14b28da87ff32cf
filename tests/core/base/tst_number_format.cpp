#include "core/base/number_format.h"

#include <limits>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_number_format : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void bytesAreTold_data();
  void bytesAreTold();
  void countsHaveNoUnit();
};

void tst_number_format::bytesAreTold_data() {
  QTest::addColumn<qint64>("bytes");
  QTest::addColumn<QString>("text");
  QTest::newRow("0") << qint64(0) << "0 B";
  QTest::newRow("small") << qint64(999) << "999 B";
  QTest::newRow("k") << qint64(1000) << "1.00 kB";
  QTest::newRow("rounds up") << qint64(999'600) << "1.00 MB";
  QTest::newRow("10") << qint64(9'999'000'000) << "10.0 GB";
  QTest::newRow("G") << qint64(1'999'000'000) << "2.00 GB";
  QTest::newRow("100") << qint64(99'960'000'000) << "100 GB";
  QTest::newRow("most") << std::numeric_limits<qint64>::max() << "9.22 EB";
}

void tst_number_format::bytesAreTold() {
  QFETCH(qint64, bytes);
  QFETCH(QString, text);
  QCOMPARE(QString::fromStdString(bytesText(bytes)), text);
}

void tst_number_format::countsHaveNoUnit() {
  QCOMPARE(metricText(0), std::string("0"));
  QCOMPARE(metricText(512), std::string("512"));
  QCOMPARE(metricText(260'032), std::string("260 k"));
  QCOMPARE(metricText(1'235'000'000), std::string("1.24 G"));
}

EQUIPATCH_TEST(tst_number_format)
#include "tst_number_format.moc"
