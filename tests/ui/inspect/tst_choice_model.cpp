#include <QAbstractItemModelTester>

#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "ui/inspect/choice_model.h"

using namespace equipatch;

class tst_choice_model : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void isAProperModel();
  void hasAColumnForEachPass();
  void leavesOutTheBareControl();
  void marksWhatDiffers();
};

void tst_choice_model::isAProperModel() {
  ChoiceModel model;
  const QAbstractItemModelTester tester(
      &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setStep(test::makeRecord(0).get());
  model.setStep(nullptr);
  QCOMPARE(model.rowCount(), 0);
}

void tst_choice_model::hasAColumnForEachPass() {
  const auto record = test::makeRecord(3);
  ChoiceModel model;
  model.setStep(record.get());
  QCOMPARE(model.columnCount(), 3);
  QCOMPARE(model.rowCount(), 10);
  const QModelIndex best = model.index(0, ChoiceModel::Bare);
  QCOMPARE(best.data(ChoiceModel::ProbabilityRole).toDouble(),
           record->bare.front().probability);
  QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
           QStringLiteral("patched, %"));
}

void tst_choice_model::leavesOutTheBareControl() {
  StepRecord record = *test::makeRecord(0);
  record.bare.clear();
  ChoiceModel model;
  model.setStep(&record);
  QCOMPARE(model.columnCount(), 2);
}

void tst_choice_model::marksWhatDiffers() {
  const test::RecordShape shape{.mismatchEvery = 1};
  const auto record = test::makeRecord(0, shape);
  ChoiceModel model;
  model.setStep(record.get());
  QVERIFY(
      !model.index(0, ChoiceModel::Contextual).data(ChoiceModel::DiffersRole).toBool());
  QVERIFY(model.index(0, ChoiceModel::Patched).data(ChoiceModel::DiffersRole).toBool());
}

EQUIPATCH_TEST(tst_choice_model)
#include "tst_choice_model.moc"
