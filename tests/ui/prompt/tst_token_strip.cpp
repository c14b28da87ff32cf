#include <QScrollBar>
#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "ui/prompt/token_strip.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

class tst_token_strip : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void hasAChipForEveryStep();
  void clickSelects();
  void keysSelectAndEndFollows();
  void followsTheNewestIntoView();
  void tellsBothChoices();
  void paintsAtAnySize();
};

void tst_token_strip::hasAChipForEveryStep() {
  Fixture f;
  TokenStrip strip(f.model, f.selection, f.theme);
  f.begin({});
  f.append(12, {});
  QCOMPARE(strip.geometryOfChips().count(), 12);
  f.begin({});
  QCOMPARE(strip.geometryOfChips().count(), 0);
}

void tst_token_strip::clickSelects() {
  Fixture f;
  TokenStrip strip(f.model, f.selection, f.theme);
  strip.resize(2000, 90);
  f.begin({});
  f.append(8, {});
  QTest::mouseClick(strip.viewport(), Qt::LeftButton, {},
                    strip.geometryOfChips().chip(3).center());
  QCOMPARE(f.selection.step(), 3);
  QVERIFY(!f.selection.isFollowing());
}

void tst_token_strip::keysSelectAndEndFollows() {
  Fixture f;
  TokenStrip strip(f.model, f.selection, f.theme);
  f.begin({});
  f.append(8, {});
  QTest::keyClick(&strip, Qt::Key_Left);
  QCOMPARE(f.selection.step(), 6);
  QTest::keyClick(&strip, Qt::Key_Home);
  QCOMPARE(f.selection.step(), 0);
  QTest::keyClick(&strip, Qt::Key_Right);
  QCOMPARE(f.selection.step(), 1);
  QTest::keyClick(&strip, Qt::Key_End);
  QCOMPARE(f.selection.step(), 7);
  QVERIFY(f.selection.isFollowing());
}

void tst_token_strip::followsTheNewestIntoView() {
  Fixture f;
  TokenStrip strip(f.model, f.selection, f.theme);
  strip.resize(300, 90);
  strip.show();
  f.begin({});
  f.append(400, {});
  const QScrollBar* bar = strip.horizontalScrollBar();
  QVERIFY(bar->maximum() > 0);
  QCOMPARE(bar->value(), bar->maximum());
  f.selection.selectStep(0);
  QCOMPARE(bar->value(), 0);
  f.append(10, {});
  QCOMPARE(bar->value(), 0);
}

void tst_token_strip::tellsBothChoices() {
  const test::RecordShape shape{.mismatchEvery = 1};
  Fixture f;
  TokenStrip strip(f.model, f.selection, f.theme);
  strip.resize(1000, 90);
  f.begin(shape);
  f.append(2, shape);
  const QString tip = strip.toolTipAt(strip.geometryOfChips().chip(1).center());
  QVERIFY2(tip.contains(QStringLiteral("✗ mismatch")), qPrintable(tip));
  QVERIFY(tip.contains(QStringLiteral("contextual: ")));
  QVERIFY(tip.contains(QStringLiteral("patched: ")));
  QVERIFY(strip.toolTipAt({990, 5}).isEmpty());
}

void tst_token_strip::paintsAtAnySize() {
  const test::RecordShape shape{.mismatchEvery = 4};
  Fixture f;
  TokenStrip strip(f.model, f.selection, f.theme);
  strip.resize(600, 90);
  const QImage empty = strip.grab().toImage();
  f.begin(shape);
  f.append(3000, shape);
  const QImage full = strip.grab().toImage();
  QVERIFY(full != empty);
  const QColor red = f.theme.colours().mismatch;
  bool found = false;
  for (int x = 0; x < full.width() && !found; ++x)
    for (int y = 0; y < full.height() && !found; ++y)
      found = QColor(full.pixel(x, y)) == red;
  QVERIFY2(found, "no pixel of the mismatch's red");
}

EQUIPATCH_TEST(tst_token_strip)
#include "tst_token_strip.moc"
