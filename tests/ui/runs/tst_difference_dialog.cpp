// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/difference_dialog.h"

#include <QAbstractItemModelTester>

#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/chart/number_text.h"

using namespace equipatch;

namespace {

struct Sides {
  Steps a, b;
};

void setSides(DifferenceModel& model, const Sides& sides) {
  const auto header = test::makeHeader();
  model.setSides({{}, header, sides.a}, {{}, header, sides.b});
}

/// A has ten steps, with mismatches at 3 and 7; B has eight, without mismatches. The runs
/// diverge at step 6.
Sides sides() {
  Sides sides;
  const test::RecordShape shape{.mismatchEvery = 4};
  for (int i = 0; i < 10; ++i) sides.a.push_back(test::makeRecord(i, shape));
  for (int i = 0; i < 8; ++i) {
    StepRecord step = *test::makeRecord(i);
    if (i == 6) step.continued = TokenId(4711);
    sides.b.push_back(std::make_shared<const StepRecord>(step));
  }
  return sides;
}

}  // namespace

class tst_difference_dialog : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void bothRunsAreShownSideBySide() {
    DifferenceModel model;
    setSides(model, sides());
    const QAbstractItemModelTester tester(
        &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 10);
    const auto text = [&](int row, int column) {
      return model.data(model.index(row, column), Qt::DisplayRole).toString();
    };
    QCOMPARE(text(2, DifferenceModel::Step), QStringLiteral("2"));
    QCOMPARE(text(6, DifferenceModel::Step), QStringLiteral("6 ≠"));
    QCOMPARE(text(3, DifferenceModel::VerdictB), QStringLiteral("✓"));
    QVERIFY(text(3, DifferenceModel::VerdictA).startsWith(u'✗'));
    QVERIFY(text(9, DifferenceModel::TokenB).isEmpty());  // run B is shorter
    QVERIFY(!text(9, DifferenceModel::TokenA).isEmpty());
    QCOMPARE(text(3, DifferenceModel::BareA),
             numberText(test::makeRecord(3, {.mismatchEvery = 4})->bareDistance->kl));
    QVERIFY(text(9, DifferenceModel::BareB).isEmpty());
  }

  void headersAreAlignedLikeTheirColumns() {
    DifferenceModel model;
    setSides(model, sides());
    for (int column = 0; column < model.columnCount(); ++column) {
      const QVariant cell = model.data(model.index(0, column), Qt::TextAlignmentRole);
      QVERIFY(cell.isValid());
      QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole), cell);
    }
  }

  void findsTheNextDifferenceAndWrapsAround() {
    DifferenceModel model;
    setSides(model, sides());
    QCOMPARE(model.nextDifference(-1), 3);
    QCOMPARE(model.nextDifference(3), 6);
    QCOMPARE(model.nextDifference(6), 7);  // run A's second mismatch
    QCOMPARE(model.nextDifference(7), 3);
    Sides same = sides();
    same.b = same.a;
    setSides(model, same);
    QCOMPARE(model.nextDifference(-1), -1);
    StepRecord other = *same.b[2];
    other.patchedToken = TokenId(4711);
    other.patchedText = "another";
    same.b[2] = std::make_shared<const StepRecord>(other);
    setSides(model, same);
    QCOMPARE(model.nextDifference(-1), 2);
  }

  void dialogDescribesAndStepsThroughDifferences() {
    const test::QuietPlatform quiet;
    Sides sides;
    for (int i = 0; i < 5; ++i) {
      sides.a.push_back(test::makeRecord(i));
      StepRecord step = *test::makeRecord(i);
      if (i == 3) step.continued = TokenId(4711);
      sides.b.push_back(std::make_shared<const StepRecord>(step));
    }
    const auto header = std::make_shared<RunHeader>(*test::makeHeader());
    header->request.prompt = {{.id = TokenId(1)}};
    const auto other = std::make_shared<RunHeader>(*header);
    other->request.prompt = {{.id = TokenId(2)}};
    DifferenceDialog dialog({{QStringLiteral("one"), header, sides.a},
                             {QStringLiteral("two"), other, sides.b}},
                            0, 1);
    QVERIFY(dialog.summary().startsWith(QStringLiteral("The prompts differ.")));
    QCOMPARE(dialog.chooser(0)->currentText(), QStringLiteral("one"));
    QCOMPARE(dialog.chooser(1)->currentText(), QStringLiteral("two"));
    QVERIFY(dialog.summary().contains(QStringLiteral("diverge at step 3")));
    dialog.selectNext();
    QCOMPARE(dialog.table()->currentIndex().row(), 3);
    const QStringList lines = dialog.text().split(u'\n');
    QCOMPARE(lines.size(), 6);
    QCOMPARE(lines.front().count(u'\t'), 8);
    QVERIFY(lines.at(4).startsWith(QStringLiteral("3 ≠\t")));
    dialog.chooser(1)->setCurrentIndex(0);
    QVERIFY(dialog.summary().startsWith(QStringLiteral("Both")));
    QVERIFY(!dialog.text().contains(u'≠'));
  }
};

EQUIPATCH_TEST(tst_difference_dialog)
#include "tst_difference_dialog.moc"
