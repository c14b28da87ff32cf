#include "tests/support/test_case.h"
#include "ui/inspect/margin.h"

using namespace equipatch;

class tst_margin : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void judges_data();
  void judges();
  void tellsItsNumbers();
};

void tst_margin::judges_data() {
  QTest::addColumn<bool>("match");
  QTest::addColumn<double>("linf");
  QTest::addColumn<double>("margin");
  QTest::addColumn<int>("expected");
  QTest::newRow("exact") << true << 0.0 << 0.5 << int(MarginState::Exact);
  QTest::newRow("safe") << true << 0.1 << 0.21 << int(MarginState::Safe);
  QTest::newRow("just") << true << 0.1 << 0.2 << int(MarginState::Lucky);
  QTest::newRow("near-tie") << false << 0.1 << 0.2 << int(MarginState::Explained);
  QTest::newRow("impossible") << false << 0.1 << 0.21 << int(MarginState::Contradiction);
  QTest::newRow("tie") << false << 0.0 << 0.0 << int(MarginState::Explained);
}

void tst_margin::judges() {
  QFETCH(bool, match);
  QFETCH(double, linf);
  QFETCH(double, margin);
  QFETCH(int, expected);
  StepRecord record;
  record.match = match;
  record.margin = margin;
  record.patchedDistance.linf = linf;
  QCOMPARE(int(marginState(record)), expected);
  QVERIFY(marginText(record).startsWith(match ? QStringLiteral("Match")
                                              : QStringLiteral("Mismatch")));
}

void tst_margin::tellsItsNumbers() {
  StepRecord record;
  record.match = false;
  record.margin = 0.25;
  record.patchedDistance.linf = 0.125;
  QVERIFY(marginText(record).contains(QStringLiteral("0.25")));
  QVERIFY(marginText(record).contains(QStringLiteral("0.125")));
}

EQUIPATCH_TEST(tst_margin)
#include "tst_margin.moc"
