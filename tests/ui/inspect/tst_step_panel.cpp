// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHeaderView>
#include <QScrollArea>

#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "ui/chart/number_text.h"
#include "ui/inspect/step_panel.h"
#include "ui/inspect/step_tables.h"
#include "ui/prompt/token_display.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

class tst_step_panel : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void anEmptyPanelSaysThatThereIsNoStep();
  void showsTheSelectedStep();
  void laterStepsChangeTheSelectedStepsVerdict();
  void showsTheRunsName();
  void addsARowForEachFurtherMeasurement();
  void namesSampledTokens();
  void showsTheSelectedLayer();
  void withoutAScaleItsRowIsLeftOut();
  void numbersAreNotCutAtTheMinimumWidth();
  void headingsAreNotCutInNarrowColumns();
  void headingsShrinkToKeepThePercentSign();
};

void tst_step_panel::anEmptyPanelSaysThatThereIsNoStep() {
  Fixture f;
  const StepPanel panel(f.model, f.selection, f.theme);
  QCOMPARE(panel.heading(), QStringLiteral("No step yet"));
}

void tst_step_panel::showsTheSelectedStep() {
  const test::RecordShape shape{.mismatchEvery = 3};
  Fixture f;
  const StepPanel panel(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(5, shape);
  const auto token = [&](int step) {
    const StepRecord& record = f.model.step(step);
    return visibleToken(record.tokenText, record.token);
  };
  QCOMPARE(panel.heading(), QStringLiteral("Step 4, newest: ") + token(4));
  QVERIFY(panel.verdict().startsWith(QStringLiteral("✓ Match")));
  f.selection.selectStep(2);
  QVERIFY2(panel.sentence().startsWith(QStringLiteral("With the context “")),
           qPrintable(panel.sentence()));
  QCOMPARE(panel.heading(), QStringLiteral("Step 2: ") + token(2));
  QVERIFY(panel.verdict().startsWith(QStringLiteral("✗ Mismatch: L∞")));
  QCOMPARE(panel.distances().text(2, 0), QStringLiteral("bare"));
}

void tst_step_panel::laterStepsChangeTheSelectedStepsVerdict() {
  Fixture f;
  const StepPanel panel(f.model, f.selection, f.theme);
  f.begin({.noise = true});
  const auto append = [&](int step, double kl, double floor) {
    StepRecord record = *test::makeRecord(step, {.noise = true});
    record.patchedDistance = {.linf = 1.0, .tvd = 0.1, .kl = 0.1};
    record.bareDistance = LogitDistance{.linf = 20.0, .tvd = 0.9, .kl = kl};
    record.noise->linf = floor;
    f.model.append({std::make_shared<const StepRecord>(record)});
    f.selection.setStepCount(f.model.stepCount());
  };
  append(0, 1.0, 0.5);
  append(1, 9.0, 0.5);
  f.selection.selectStep(1);
  const QString most = QStringLiteral("the context matters most here");
  QVERIFY2(panel.sentence().contains(most), qPrintable(panel.sentence()));
  const QString above = panel.verdict();
  append(2, 12.0, 2.0);
  QVERIFY2(!panel.sentence().contains(most), qPrintable(panel.sentence()));
  QVERIFY2(panel.verdict() != above, qPrintable(above));
  const QString verdict = panel.verdict(), sentence = panel.sentence();
  f.selection.selectStep(0);
  f.selection.selectStep(1);
  QCOMPARE(panel.verdict(), verdict);
  QCOMPARE(panel.sentence(), sentence);
}

void tst_step_panel::showsTheRunsName() {
  Fixture f;
  StepPanel panel(f.model, f.selection, f.theme);
  const auto* name = panel.findChild<QLabel*>(QStringLiteral("stepRun"));
  QVERIFY(name->isHidden());
  panel.showRun(QStringLiteral("tiny, direct open"), {});
  // Names may look like HTML.
  for (const auto* label : panel.findChildren<QLabel*>())
    QVERIFY2(label->textFormat() == Qt::PlainText || !label->pixmap().isNull() ||
                 label->text().isEmpty(),
             qPrintable(label->text()));
  QVERIFY(!name->isHidden());
  QCOMPARE(name->text(), QStringLiteral("tiny, direct open"));
}

void tst_step_panel::addsARowForEachFurtherMeasurement() {
  const test::RecordShape shape{.noise = true, .audit = true, .ablated = true};
  Fixture f;
  const StepPanel panel(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(1, shape);
  QCOMPARE(panel.distances().text(3, 0), QStringLiteral("ablated"));
  QCOMPARE(panel.distances().text(3, 3), numberText(f.model.step(0).ablatedDistance->kl));
  QCOMPARE(panel.distances().text(4, 0), QStringLiteral("audit"));
  QCOMPARE(panel.distances().text(4, 1), numberText(f.model.step(0).auditDistance->linf));
  QCOMPARE(panel.distances().text(5, 0), QStringLiteral("noise"));
}

void tst_step_panel::namesSampledTokens() {
  Fixture f;
  const StepPanel panel(f.model, f.selection, f.theme);
  const auto sampledTokens = [&] {
    for (const auto* grid : panel.findChildren<NumberGrid*>())
      for (int row = 0; row < grid->rowCount(); ++row)
        if (grid->text(row, 0) == QStringLiteral("sampled tokens"))
          return grid->text(row, 1);
    return QString();
  };
  f.begin({});
  StepRecord record = *test::makeRecord(0, {});
  const auto append = [&] {
    f.model.append({std::make_shared<const StepRecord>(record)});
    f.selection.setStepCount(f.model.stepCount());
  };
  append();
  QCOMPARE(sampledTokens(), QString());
  record.step = StepIndex(1);
  record.sampledMatch = true;
  append();
  QCOMPARE(sampledTokens(), QStringLiteral("match"));
  record.step = StepIndex(2);
  record.sampledMatch = false;
  append();
  QVERIFY(sampledTokens().startsWith(QStringLiteral("◆ ")));
}

void tst_step_panel::showsTheSelectedLayer() {
  Fixture f;
  const StepPanel panel(f.model, f.selection, f.theme);
  f.begin({});
  f.append(1, {});
  QCOMPARE(panel.layerNumbers().rowCount(), 0);
  f.selection.selectLayer(2);
  QCOMPARE(panel.layerNumbers().text(0, 0), QStringLiteral("‖ΔW gate‖"));
  QCOMPARE(panel.layerNumbers().text(3, 0), QStringLiteral("‖Δm‖, max |Δm|"));
}

void tst_step_panel::withoutAScaleItsRowIsLeftOut() {
  const test::RecordShape shape{.closesWithScale = false};
  Fixture f;
  const StepPanel panel(f.model, f.selection, f.theme);
  f.begin(shape);
  f.append(1, shape);
  f.selection.selectLayer(2);
  QCOMPARE(panel.layerNumbers().text(3, 0), QStringLiteral("‖Δv‖ / ‖v‖"));
}

/// The panel asks for the width of its longest numbers, whose exponents have 3 digits.
void tst_step_panel::numbersAreNotCutAtTheMinimumWidth() {
  Fixture f;
  StepPanel panel(f.model, f.selection, f.theme);
  panel.show();
  test::RecordShape shape;
  f.begin(shape);
  StepRecord record = *test::makeRecord(0, shape);
  record.patchedDistance = {9.54e-7, 5.98e-140, 1.73e-200};
  f.model.append({std::make_shared<const StepRecord>(record)});
  f.selection.setStepCount(1);
  f.selection.selectLayer(0);
  QCoreApplication::processEvents();
  panel.resize(panel.minimumSizeHint().width(), 400);
  QCoreApplication::processEvents();
  const auto* area = panel.findChild<QScrollArea*>();
  for (const auto* label : panel.distances().findChildren<QLabel*>()) {
    const int right = label->mapTo(area->viewport(), QPoint(label->width(), 0)).x();
    QVERIFY2(right <= area->viewport()->width(), qPrintable(label->text()));
  }
}

void tst_step_panel::headingsAreNotCutInNarrowColumns() {
  Fixture f;
  StepPanel panel(f.model, f.selection, f.theme);
  panel.resize(280, 400);
  panel.show();
  test::RecordShape shape;
  f.begin(shape);
  f.append(1, shape);
  const auto* table = panel.findChild<QTableView*>(QStringLiteral("choices"));
  auto* choices = qobject_cast<ChoiceModel*>(table->model());
  choices->setAtStrength(f.model.step(0).patched, QStringLiteral("α 0.75"));
  for (const int width : {280, 900}) {
    panel.resize(width, 400);
    QCoreApplication::processEvents();
    for (int column = 0; column < choices->columnCount(); ++column) {
      const QString heading =
          choices->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
      QVERIFY2(table->horizontalHeader()->fontMetrics().horizontalAdvance(heading) <
                   table->columnWidth(column),
               qPrintable(heading));
    }
  }
}

void tst_step_panel::headingsShrinkToKeepThePercentSign() {
  Fixture f;
  StepPanel panel(f.model, f.selection, f.theme);
  QFont large = panel.font();
  large.setPixelSize(24);
  panel.setFont(large);
  panel.resize(1200, 400);
  panel.show();
  test::RecordShape shape;
  f.begin(shape);
  f.append(1, shape);
  QCoreApplication::processEvents();
  const auto* table = panel.findChild<QTableView*>(QStringLiteral("choices"));
  const QHeaderView* header = table->horizontalHeader();
  QCOMPARE(header->font().pixelSize(), 24);
  const int height = table->height();
  // A little too narrow for the whole headings of the passes.
  const QString heading = QStringLiteral("contextual, %");
  const int column = QFontMetrics(large).horizontalAdvance(heading);
  const int around = panel.width() - table->width();
  panel.resize(around + table->model()->columnCount() * column, 400);
  QCoreApplication::processEvents();
  QCOMPARE(table->model()->headerData(0, Qt::Horizontal).toString(), heading);
  QVERIFY(header->font().pixelSize() < 24);
  QCOMPARE(table->font(), header->font());
  QVERIFY(header->fontMetrics().horizontalAdvance(heading) < table->columnWidth(0));
  QCOMPARE(table->height(), height);
  QFont small = large;
  small.setPixelSize(10);
  panel.setFont(small);  // makes the table less high; its rows must follow
  QCOMPARE(table->verticalHeader()->defaultSectionSize(),
           ChoiceDelegate::rowHeight(panel.fontMetrics()));
}

EQUIPATCH_TEST(tst_step_panel)
#include "tst_step_panel.moc"
