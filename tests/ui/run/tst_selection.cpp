#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "ui/run/run_model.h"

using namespace equipatch;

class tst_selection : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void followsTheNewest();
  void staysWhereTheUserWent();
  void returnsToFollowing();
  void clampsSteps();
  void walksLayers();
  void forgetsLayersThatAreGone();
};

void tst_selection::followsTheNewest() {
  Selection selection;
  QCOMPARE(selection.step(), Selection::kNone);
  QSignalSpy changed(&selection, &Selection::stepChanged);
  selection.setStepCount(1);
  selection.setStepCount(5);
  QCOMPARE(selection.step(), 4);
  QCOMPARE(changed.count(), 2);
  QVERIFY(selection.isFollowing());
}

void tst_selection::staysWhereTheUserWent() {
  Selection selection;
  selection.setStepCount(5);
  selection.selectStep(2);
  selection.setStepCount(9);
  QCOMPARE(selection.step(), 2);
  QVERIFY(!selection.isFollowing());
}

void tst_selection::returnsToFollowing() {
  Selection selection;
  selection.setStepCount(5);
  selection.moveStep(-1);
  QCOMPARE(selection.step(), 3);
  selection.setStepCount(6);
  selection.followNewest();
  QCOMPARE(selection.step(), 5);
  selection.setStepCount(7);
  QCOMPARE(selection.step(), 6);
  selection.selectStep(1);
  selection.reset();
  QCOMPARE(selection.step(), Selection::kNone);
  QVERIFY(selection.isFollowing());
}

void tst_selection::clampsSteps() {
  Selection selection;
  selection.selectStep(3);
  QCOMPARE(selection.step(), Selection::kNone);
  selection.moveStep(1);
  QCOMPARE(selection.step(), Selection::kNone);
  selection.setStepCount(4);
  selection.selectStep(99);
  QCOMPARE(selection.step(), 3);
  selection.moveStep(-99);
  QCOMPARE(selection.step(), 0);
}

void tst_selection::walksLayers() {
  Selection selection;
  selection.moveLayer(1);
  QCOMPARE(selection.layer(), Selection::kNone);
  selection.setLayerCount(3);
  selection.moveLayer(1);
  QCOMPARE(selection.layer(), 0);
  selection.moveLayer(5);
  QCOMPARE(selection.layer(), 2);
  selection.selectLayer(7);
  QCOMPARE(selection.layer(), Selection::kNone);
  selection.moveLayer(-1);
  QCOMPARE(selection.layer(), 2);
}

void tst_selection::forgetsLayersThatAreGone() {
  Selection selection;
  selection.setLayerCount(6);
  selection.selectLayer(5);
  QSignalSpy changed(&selection, &Selection::layerChanged);
  selection.setLayerCount(2);
  QCOMPARE(selection.layer(), Selection::kNone);
  QCOMPARE(changed.count(), 1);
}

EQUIPATCH_TEST(tst_selection)
#include "tst_selection.moc"
