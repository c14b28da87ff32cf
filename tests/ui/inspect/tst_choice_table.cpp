// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/step_tables.h"

#include <QAbstractItemModelTester>
#include <QImage>
#include <QPainter>
#include <cmath>

#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "ui/chart/meaning.h"
#include "ui/chart/number_text.h"

using namespace equipatch;

class tst_choice_table : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void passesQtsItemModelTester();
  void hasAColumnForEachPass();
  void withoutABarePassItsColumnIsLeftOut();
  void theAblatedColumnIsBeforeThePartialPatch();
  void marksPatchedTokensThatDiffer();
  void showsThePartialPatchInAFurtherColumn();
  void withoutABarePassThePartialPatchIsThird();
  void barsAreAsLongAsTheProbability();
  void paintsTheMismatchInRed();
  void shortensTheTokenAndNotTheNumber();
  void leavesRoomForLettersBesideTheNumber();
  void aRareSampledTokenIsListed();
  void withoutAProbabilityNothingIsSampled();
  void aTokenThatLooksLikeAPlaceholderIsShown();
  void headersExplainItalics();
};

void tst_choice_table::passesQtsItemModelTester() {
  ChoiceModel model;
  const QAbstractItemModelTester tester(
      &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setStep(test::makeRecord(0).get());
  model.setStep(nullptr);
  QCOMPARE(model.rowCount(), 0);
}

void tst_choice_table::hasAColumnForEachPass() {
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
  model.setBrief(true);
  QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(),
           QStringLiteral("patched"));
}

void tst_choice_table::withoutABarePassItsColumnIsLeftOut() {
  StepRecord record = *test::makeRecord(0);
  record.bare.clear();
  ChoiceModel model;
  model.setStep(&record);
  QCOMPARE(model.columnCount(), 2);
}

void tst_choice_table::theAblatedColumnIsBeforeThePartialPatch() {
  StepRecord record = *test::makeRecord(0);
  record.ablated = record.bare;
  record.ablated.front().id = TokenId(7);
  ChoiceModel model;
  model.setStep(&record);
  model.setAtStrength(record.patched, QStringLiteral("α 0.50"));
  QCOMPARE(model.columnCount(), 5);
  QCOMPARE(model.columnAt(3), ChoiceModel::Ablated);
  QCOMPARE(model.columnAt(4), ChoiceModel::AtStrength);
  QCOMPARE(model.choice(model.index(0, 3))->id, TokenId(7));
  record.bare.clear();
  model.setStep(&record);
  QCOMPARE(model.columnAt(2), ChoiceModel::Ablated);
  QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(),
           QStringLiteral("ablated, %"));
}

void tst_choice_table::marksPatchedTokensThatDiffer() {
  const test::RecordShape shape{.mismatchEvery = 1};
  const auto record = test::makeRecord(0, shape);
  ChoiceModel model;
  model.setStep(record.get());
  QVERIFY(
      !model.index(0, ChoiceModel::Contextual).data(ChoiceModel::DiffersRole).toBool());
  QVERIFY(model.index(0, ChoiceModel::Patched).data(ChoiceModel::DiffersRole).toBool());
}

void tst_choice_table::showsThePartialPatchInAFurtherColumn() {
  const auto record = test::makeRecord(0);
  ChoiceModel model;
  const QAbstractItemModelTester tester(
      &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.setStep(record.get());
  model.setAtStrength(record->bare, QStringLiteral("α 0.50"));
  QCOMPARE(model.columnCount(), 4);
  const QPersistentModelIndex part = model.index(0, 3);
  QCOMPARE(part.data(ChoiceModel::PassRole).toInt(), int(ChoiceModel::AtStrength));
  QVERIFY(part.data(ChoiceModel::DiffersRole).toBool());
  model.setAtStrength(record->contextual, QStringLiteral("α 0.55"));
  QVERIFY(part.isValid());  // the model was not reset
  QVERIFY(!part.data(ChoiceModel::DiffersRole).toBool());
  QCOMPARE(model.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(),
           QStringLiteral("α 0.55, %"));
  model.setAtStrength({}, {});
  QCOMPARE(model.columnCount(), 3);
}

void tst_choice_table::withoutABarePassThePartialPatchIsThird() {
  StepRecord record = *test::makeRecord(0);
  record.bare.clear();
  ChoiceModel model;
  model.setStep(&record);
  model.setAtStrength(record.patched, QStringLiteral("α 0.50"));
  QCOMPARE(model.columnCount(), 3);
  QCOMPARE(model.columnAt(2), ChoiceModel::AtStrength);
  QCOMPARE(model.choice(model.index(0, 2))->id, record.patched.front().id);
}

void tst_choice_table::barsAreAsLongAsTheProbability() {
  const QRectF cell(10, 20, 108, 24);
  QCOMPARE(ChoiceDelegate::bar(cell, 1.0).width(), 100.0);
  QCOMPARE(ChoiceDelegate::bar(cell, 0.25).width(), 25.0);
  QCOMPARE(ChoiceDelegate::bar(cell, 7.0).width(), 100.0);
  QCOMPARE(ChoiceDelegate::bar(cell, 0.0).width(), 0.0);
  QVERIFY(cell.contains(ChoiceDelegate::bar(cell, 1.0)));
}

void tst_choice_table::paintsTheMismatchInRed() {
  const Theme theme;
  const auto record = test::makeRecord(0, {.mismatchEvery = 1});
  ChoiceModel model;
  model.setStep(record.get());
  const ChoiceDelegate delegate(theme, nullptr);
  QImage image(120, 24, QImage::Format_RGB32);
  image.fill(theme.colours().surface);
  QPainter painter(&image);
  QStyleOptionViewItem option;
  option.rect = image.rect();
  delegate.paint(&painter, option, model.index(0, ChoiceModel::Patched));
  painter.end();
  int reddish = 0;
  for (int x = 0; x < image.width(); ++x)
    for (int y = 0; y < image.height(); ++y)
      reddish +=
          image.pixelColor(x, y).hsvSaturation() > 120 &&
          (image.pixelColor(x, y).hsvHue() > 330 || image.pixelColor(x, y).hsvHue() < 20);
  QVERIFY(reddish > 5);
}

/// A painted cell, `beside` pixels wider than its number.
static QImage cellOf(const std::string& token, double probability, int beside) {
  const Theme theme;
  const ChoiceDelegate delegate(theme, nullptr);
  StepRecord record = *test::makeRecord(0);
  record.contextual.front().text = token;
  record.contextual.front().probability = probability;
  ChoiceModel model;
  model.setStep(&record);
  QStyleOptionViewItem option;
  const int number = option.fontMetrics.horizontalAdvance(shortPercentText(probability));
  QImage image(number + beside, 24, QImage::Format_RGB32);
  image.fill(theme.colours().surface);
  option.rect = image.rect();
  QPainter painter(&image);
  delegate.paint(&painter, option, model.index(0, ChoiceModel::Contextual));
  painter.end();
  return image;
}

static QImage numberOf(const QImage& cell, int beside) {
  return cell.copy(beside - 4, 0, cell.width() - beside + 4, 20);
}

static QImage tokenOf(const QImage& cell, int beside) {
  return cell.copy(0, 0, beside - 4, 20);
}

void tst_choice_table::shortensTheTokenAndNotTheNumber() {
  constexpr int kSome = 90;    // pixels
  constexpr int kLittle = 30;  // pixels, enough for a few letters
  const std::string token = "internationalisation";
  for (const double probability : {0.0001, 0.42, 0.9999}) {
    const QImage alone = numberOf(cellOf("", probability, kSome), kSome);
    QImage blank(alone.size(), alone.format());
    blank.fill(Theme().colours().surface);
    QVERIFY(alone != blank);
    for (const int beside : {kSome, kLittle}) {
      const QImage cell = cellOf(token, probability, beside);
      QCOMPARE(numberOf(cell, beside), alone);
      QVERIFY(tokenOf(cell, beside) != tokenOf(cellOf("", probability, beside), beside));
    }
  }
}

void tst_choice_table::leavesRoomForLettersBesideTheNumber() {
  const QFontMetrics metrics = QStyleOptionViewItem().fontMetrics;
  const int number = metrics.horizontalAdvance(QStringLiteral(">99.9"));
  const int least = ChoiceDelegate::leastWidth(metrics);
  QVERIFY(least > number + metrics.horizontalAdvance(QStringLiteral("·has")));
}

void tst_choice_table::aRareSampledTokenIsListed() {
  StepRecord record = *test::makeRecord(0);
  record.sampledMatch = false;
  record.token = TokenId(123456);
  record.tokenText = "rare";
  record.patchedToken = record.patched[2].id;
  ChoiceModel model;
  model.setStep(&record);
  QCOMPARE(model.rowCount(), 11);
  const QModelIndex rare = model.index(10, ChoiceModel::Contextual);
  QCOMPARE(rare.data().toString(), QStringLiteral("rare"));
  QVERIFY(rare.data(ChoiceModel::SampledRole).toBool());
  QVERIFY(rare.data(Qt::ToolTipRole).toString().contains(QStringLiteral("sampled")));
  QCOMPARE(rare.data(Qt::AccessibleTextRole).toString(), QStringLiteral("rare, sampled"));
  QVERIFY(model.index(2, ChoiceModel::Patched).data(ChoiceModel::SampledRole).toBool());
  QVERIFY(!model.index(0, ChoiceModel::Patched).data(ChoiceModel::SampledRole).toBool());
  QVERIFY(!model.index(10, ChoiceModel::Patched).data().isValid());
}

/// A patched pass that overflowed has no probabilities.
void tst_choice_table::withoutAProbabilityNothingIsSampled() {
  StepRecord record = *test::makeRecord(0);
  for (Choice& choice : record.patched) {
    choice.logit = -INFINITY;
    choice.probability = NAN;
  }
  ChoiceModel model;
  model.setStep(&record);
  const QModelIndex best = model.index(0, ChoiceModel::Patched);
  const QString help = best.data(Qt::ToolTipRole).toString();
  QVERIFY2(help.contains(QStringLiteral("not finite")), qPrintable(help));
  QVERIFY(!help.contains(QStringLiteral("sampled")));
  QVERIFY(best.data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral(", –")));
}

/// The tool tip's id and numbers must not replace %1 in a token's text.
void tst_choice_table::aTokenThatLooksLikeAPlaceholderIsShown() {
  StepRecord record = *test::makeRecord(0);
  record.contextual.front().text = "%1";
  record.contextual.front().id = TokenId(7);
  ChoiceModel model;
  model.setStep(&record);
  const QString help = model.index(0, 0).data(Qt::ToolTipRole).toString();
  QVERIFY2(help.contains(QStringLiteral("%1, id 7")), qPrintable(help));
}

void tst_choice_table::headersExplainItalics() {
  ChoiceModel model;
  model.setStep(test::makeRecord(0).get());
  const QString help = model.headerData(0, Qt::Horizontal, Qt::ToolTipRole).toString();
  QVERIFY2(help.startsWith(meaningOf(QStringLiteral("contextual"))), qPrintable(help));
  QVERIFY2(help.contains(QStringLiteral("Italics: ")), qPrintable(help));
}

EQUIPATCH_TEST(tst_choice_table)
#include "tst_choice_table.moc"
