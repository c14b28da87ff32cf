// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/paper.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_paper : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theUnitIsAQuarterOfAPoint() {
    const Paper paper({.fontSize = 9.0});
    QCOMPARE(Paper::units(2.5), 10);
    QCOMPARE(paper.font().pixelSize(), 36);
    QCOMPARE(paper.font(0.5).pixelSize(), 18);
    QCOMPARE(paper.pen(Qt::black, 0.5).widthF(), 2.0);
    QVERIFY(!paper.pen(Qt::black, 0.5).isCosmetic());
  }

  void paperHasLightColours() { QVERIFY(!Paper({}).colours().dark); }
};

EQUIPATCH_TEST(tst_paper)
#include "tst_paper.moc"
