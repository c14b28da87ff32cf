// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_model.h"

#include <QSignalSpy>

#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_run_model : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void startsEmpty();
  void appendEmitsTheIndexOfTheFirstNewStep();
  void countsAndFindsMismatches();
  void doesNotCountSampledDifferencesAsMismatches();
  void beginClearsTheOldRun();
  void recentTimeIgnoresOldSteps();
  void selectionFollowsTheNewestStep();
  void aStepChosenByTheUserStaysSelected();
  void followNewestAndResetResumeFollowing();
  void clampsSteps();
  void moveLayerStaysWithinTheLayers();
  void deselectsALayerBeyondTheNewCount();
  void deselectsAll();
};

void tst_run_model::startsEmpty() {
  const RunModel model;
  QVERIFY(model.empty());
  QVERIFY(!model.header());
  QVERIFY(!model.find(0));
  QCOMPARE(model.nextMismatch(0), -1);
  QCOMPARE(model.recentMilliseconds(), 0.0);
}

void tst_run_model::appendEmitsTheIndexOfTheFirstNewStep() {
  RunModel model;
  model.begin(test::makeHeader());
  QSignalSpy appended(&model, &RunModel::stepsAppended);
  model.append({test::makeRecord(0), test::makeRecord(1)});
  model.append({});
  model.append({test::makeRecord(2)});
  QCOMPARE(appended.count(), 2);
  QCOMPARE(appended[0][0].toInt(), 0);
  QCOMPARE(appended[1][0].toInt(), 2);
  QCOMPARE(model.step(2).step.value, 2);
  QVERIFY(!model.find(3));
  QVERIFY(!model.find(-1));
}

void tst_run_model::countsAndFindsMismatches() {
  const test::RecordShape shape{.mismatchEvery = 3};
  RunModel model;
  model.begin(test::makeHeader(shape));
  for (int i = 0; i < 7; ++i) model.append({test::makeRecord(i, shape)});
  QCOMPARE(model.mismatchCount(), 2);
  QCOMPARE(model.nextMismatch(-1), 2);
  QCOMPARE(model.nextMismatch(2), 5);
  QCOMPARE(model.nextMismatch(5), 2);
}

void tst_run_model::doesNotCountSampledDifferencesAsMismatches() {
  RunModel model;
  model.begin(test::makeHeader());
  model.append({test::makeRecord(0)});
  QVERIFY(!model.sampledDifferenceCount());
  for (const bool sampledMatch : {true, false}) {
    StepRecord record = *test::makeRecord(1);
    record.sampledMatch = sampledMatch;
    model.append({std::make_shared<const StepRecord>(record)});
  }
  QCOMPARE(model.sampledDifferenceCount(), std::optional(1));
  QCOMPARE(model.mismatchCount(), 0);
  model.begin(test::makeHeader());
  QVERIFY(!model.sampledDifferenceCount());
}

void tst_run_model::beginClearsTheOldRun() {
  const test::RecordShape shape{.mismatchEvery = 1};
  RunModel model;
  model.begin(test::makeHeader(shape));
  model.append({test::makeRecord(0, shape)});
  QSignalSpy begun(&model, &RunModel::runStarted);
  model.begin(test::makeHeader());
  QCOMPARE(begun.count(), 1);
  QVERIFY(model.empty());
  QCOMPARE(model.mismatchCount(), 0);
}

void tst_run_model::recentTimeIgnoresOldSteps() {
  RunModel model;
  model.begin(test::makeHeader());
  for (int i = 0; i < 40; ++i) {
    StepRecord record = *test::makeRecord(i);
    record.milliseconds = i < 24 ? 1000.0 : 10.0;
    model.append({std::make_shared<const StepRecord>(record)});
  }
  QCOMPARE(model.recentMilliseconds(), 10.0);
}

void tst_run_model::selectionFollowsTheNewestStep() {
  Selection selection;
  QCOMPARE(selection.step(), Selection::kNone);
  QSignalSpy changed(&selection, &Selection::stepChanged);
  selection.setStepCount(1);
  selection.setStepCount(5);
  QCOMPARE(selection.step(), 4);
  QCOMPARE(changed.count(), 2);
  QVERIFY(selection.isFollowing());
}

void tst_run_model::aStepChosenByTheUserStaysSelected() {
  Selection selection;
  selection.setStepCount(5);
  selection.selectStep(2);
  selection.setStepCount(9);
  QCOMPARE(selection.step(), 2);
  QVERIFY(!selection.isFollowing());
}

void tst_run_model::followNewestAndResetResumeFollowing() {
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

void tst_run_model::clampsSteps() {
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

void tst_run_model::moveLayerStaysWithinTheLayers() {
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

void tst_run_model::deselectsALayerBeyondTheNewCount() {
  Selection selection;
  selection.setLayerCount(6);
  selection.selectLayer(5);
  QSignalSpy changed(&selection, &Selection::layerChanged);
  selection.setLayerCount(2);
  QCOMPARE(selection.layer(), Selection::kNone);
  QCOMPARE(changed.count(), 1);
}

void tst_run_model::deselectsAll() {
  Selection selection;
  selection.setStepCount(5);
  selection.setLayerCount(4);
  selection.selectStep(2);
  selection.selectLayer(1);
  selection.deselect();
  QCOMPARE(selection.step(), Selection::kNone);
  QCOMPARE(selection.layer(), Selection::kNone);
  QVERIFY(selection.isFollowing());
  selection.selectStep(3);  // the steps are still there
  QCOMPARE(selection.step(), 3);
}

EQUIPATCH_TEST(tst_run_model)
#include "tst_run_model.moc"
