// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QTableView>
#include <QTemporaryDir>
#include <fstream>

#include "tests/gui/story.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/ui/support/drop_files.h"
#include "ui/export/data_dialog.h"
#include "ui/export/export_dialog.h"
#include "ui/runs/difference_dialog.h"

using namespace equipatch;
using equipatch::test::Phase;
using equipatch::test::Story;

/// Several runs in one window, on a synthetic engine.
class tst_story_runs : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void oneClickRunsTheGrid();
  void theGridAddsOnlyMissingRuns();
  void tickedRunsShareTheLogitChart();
  void anEarlierRunIsDisplayedAgain();
  void runsAreComparedStepByStep();
  void figuresShowAllRuns();
  void droppedRunsAreAllOpened();
  void anInterruptedRunGoesOn();
  void aRunInterruptedBeforeItsFirstStepGoesOn();
  void tickedRunsAreExportedAsOneTable();
  void dataOfTheRunIsExported();

 private:
  static void runGrid(Story& story) {
    story.find<QPushButton>("runGrid")->click();
    QTRY_COMPARE(story.engine.runs(), 4);
    QTRY_COMPARE(story.phase(), Phase::Idle);
    QCOMPARE(story.steps(), 20);
  }
};

void tst_story_runs::oneClickRunsTheGrid() {
  Story story;
  runGrid(story);
  QCOMPARE(story.window.runs().count(), 4);
  QStringList names;
  for (int row = 0; row < 4; ++row) names << story.window.runs().at(row).name;
  QCOMPARE(names, QStringList({QStringLiteral("float32 balanced closed"),
                               QStringLiteral("bfloat16 direct open"),
                               QStringLiteral("bfloat16 stable open"),
                               QStringLiteral("bfloat16 balanced closed")}));
}

void tst_story_runs::theGridAddsOnlyMissingRuns() {
  Story story;
  runGrid(story);
  story.window.runs().close(1);
  story.find<QPushButton>("runGrid")->click();
  QTRY_COMPARE(story.engine.runs(), 5);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QCOMPARE(story.window.runs().count(), 4);
  QCOMPARE(story.window.runs().at(3).name, QStringLiteral("bfloat16 direct open"));
  story.find<QPushButton>("runGrid")->click();
  QCOMPARE(story.phase(), Phase::Idle);
  QCOMPARE(story.engine.runs(), 5);
  QVERIFY(story.find<MessageBar>("messageBar")->text().contains("has all of these runs"));
}

void tst_story_runs::tickedRunsShareTheLogitChart() {
  Story story;
  runGrid(story);
  const LogitChart& chart = *story.window.charts().chart<LogitChart>();
  QCOMPARE(chart.otherCount(), 3);
  QCOMPARE(chart.series(1)->dataCount(), 20);
  QCOMPARE(chart.series(0)->dataCount(), 20);
  QVERIFY(chart.measures()->isVisible());
  chart.measures()->setCurrentIndex(1);
  QCOMPARE(chart.series(0)->data()->at(4)->value,
           story.window.model().step(4).patchedDistance.tvd);
  RunList& runs = story.window.runs();
  for (const int row : {0, 1, 2}) runs.setShown(row, false);
  QCOMPARE(chart.otherCount(), 0);
  QVERIFY(!chart.measures()->isVisible());
  QCOMPARE(chart.series(QStringLiteral("TVD"))->dataCount(), 20);
}

void tst_story_runs::anEarlierRunIsDisplayedAgain() {
  Story story;
  runGrid(story);
  auto* table = story.find<QTableView>("runs");
  table->selectRow(1);
  QTest::keyClick(table, Qt::Key_Return);
  QTRY_COMPARE(story.window.runs().current(), 1);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QCOMPARE(story.engine.lastOpened().string(), story.window.runs().at(1).file.string());
  QCOMPARE(story.window.runs().count(), 4);
  story.window.command("closeRun")->trigger();
  QCOMPARE(story.window.runs().count(), 3);
  story.window.command("reopenRun")->trigger();
  QCOMPARE(story.window.runs().count(), 4);
}

void tst_story_runs::runsAreComparedStepByStep() {
  Story story;
  runGrid(story);
  story.window.command("compareSteps")->trigger();
  const auto* dialog = story.window.findChild<DifferenceDialog*>();
  QVERIFY(dialog);
  QVERIFY2(dialog->summary().contains(QStringLiteral("the same tokens in all 20 steps")),
           qPrintable(dialog->summary()));
  QCOMPARE(dialog->table()->model()->rowCount(), 20);
}

void tst_story_runs::figuresShowAllRuns() {
  Story story;
  runGrid(story);
  RunList& runs = story.window.runs();
  runs.setData(runs.index(0, RunList::Name), QStringLiteral("reference"), Qt::EditRole);
  story.window.command("exportFigure")->trigger();
  const auto* dialog = story.window.findChild<ExportDialog*>();
  QVERIFY(dialog);
  QStringList names;
  for (int row = 0; row < dialog->runs()->count(); ++row)
    names << dialog->runs()->item(row)->text();
  QCOMPARE(names.size(), 4);
  QCOMPARE(names.front(), QStringLiteral("bfloat16 balanced closed"));  // on display
  QVERIFY(names.contains(QStringLiteral("reference")));
  dialog->kinds()->setCurrentIndex(int(FigureKind::Overview));
  QVERIFY(dialog->saveButton()->isEnabled());
  // A map needs vectors. Only the run on display keeps vectors in memory, and the files
  // of these runs hold none.
  dialog->kinds()->setCurrentIndex(int(FigureKind::ScaleHeatmap));
  QVERIFY(!dialog->saveButton()->isEnabled());
  QVERIFY(!dialog->preview()->sentence().isEmpty());
}

void tst_story_runs::droppedRunsAreAllOpened() {
  Story story;
  test::dropFiles(story.window,
                  {QStringLiteral("/runs/one.eqrun"), QStringLiteral("/runs/two.eqrun")});
  QTRY_COMPARE(story.window.runs().count(), 2);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QCOMPARE(story.window.runs().at(0).file.string(), std::string("/runs/one.eqrun"));
  QCOMPARE(story.window.runs().current(), 1);
}

void tst_story_runs::anInterruptedRunGoesOn() {
  Story story;
  const QAction& goOn = *story.window.command("continueRun");
  QVERIFY(!goOn.isEnabled());
  story.engine.storedEnding = RunEnding::Interrupted;
  const QTemporaryDir runs;
  const QString file = runs.filePath(QStringLiteral("half.eqrun"));
  const QString other = runs.filePath(QStringLiteral("other.eqrun"));
  for (const QString& path : {file, other}) std::ofstream(path.toStdString()) << "a run";
  story.window.openRuns({file});
  QTRY_COMPARE(story.steps(), test::SyntheticEngine::kStoredSteps);
  QTRY_VERIFY(goOn.isEnabled());
  QTest::keyClick(&story.window, Qt::Key_F5, Qt::ControlModifier);
  QTRY_COMPARE(story.steps(), test::SyntheticEngine::kContinuedSteps);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QCOMPARE(story.engine.lastUnfinished().file.string(), file.toStdString());
  QCOMPARE(story.window.runs().count(), 1);
  QVERIFY(story.window.messages().text().contains(QStringLiteral("other digits")));
  QVERIFY(!goOn.isEnabled());
  // The context menu of the list of runs continues interrupted runs too.
  story.window.openRuns({other});
  QTRY_COMPARE(story.window.runs().count(), 2);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  story.window.runs().setNameOf(file.toStdString(), QStringLiteral("first"));
  auto* panel = story.window.findChild<RunsPanel*>();
  QMenu menu;
  const auto continuing = [&](int row) -> QAction* {
    panel->table()->clearSelection();
    panel->table()->selectRow(row);
    menu.clear();
    panel->fillMenu(menu);
    for (QAction* action : menu.actions())
      if (action->text().contains(QStringLiteral("Con&tinue"))) return action;
    return nullptr;
  };
  QVERIFY(continuing(0) && !continuing(0)->isEnabled());  // complete by now
  QTRY_VERIFY(continuing(1)->isEnabled());
  continuing(1)->trigger();
  QTRY_COMPARE(story.engine.lastUnfinished().file.filename().string(),
               std::string("other.eqrun"));
  QTRY_COMPARE(story.steps(), test::SyntheticEngine::kContinuedSteps);
}

/// A file without steps opens with an error, but its run can be continued.
void tst_story_runs::aRunInterruptedBeforeItsFirstStepGoesOn() {
  Story story;
  story.engine.failAfter = 0;
  auto* files = story.window.findChild<RunFiles*>();
  QVERIFY(files);
  const std::filesystem::path file = test::data("runs/format-1/interrupted.eqrun");
  Q_EMIT files->continueRequested(QString::fromStdString(file.string()));
  story.engine.failAfter = -1;  // only the job that opens the file fails
  QTRY_COMPARE(story.steps(), test::SyntheticEngine::kContinuedSteps);
  QCOMPARE(story.engine.lastUnfinished().file, file);
}

void tst_story_runs::tickedRunsAreExportedAsOneTable() {
  Story story;
  story.window.command("run")->trigger();
  QTRY_VERIFY(story.window.command("exportData")->isEnabled());
  const auto all = [](const DataDialog& dialog) {
    return dialog.findChild<QCheckBox*>(QStringLiteral("dataAllTicked"));
  };
  story.window.command("exportData")->trigger();
  auto* dialog = story.window.findChild<DataDialog*>();
  QVERIFY(dialog && all(*dialog)->isHidden());  // there is one run
  delete dialog;
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.window.runs().count(), 2);
  QTRY_VERIFY(story.window.command("exportData")->isEnabled());
  story.window.command("exportData")->trigger();
  dialog = story.window.findChild<DataDialog*>();
  QVERIFY(dialog);
  dialog->forms()->setCurrentIndex(dialog->forms()->findData(int(RunForm::Npz)));
  QVERIFY(!all(*dialog)->isVisible());
  dialog->forms()->setCurrentIndex(dialog->forms()->findData(int(RunForm::Latex)));
  QVERIFY(all(*dialog)->isVisible() && all(*dialog)->isChecked());
  dialog->forms()->setCurrentIndex(dialog->forms()->findData(int(RunForm::Csv)));
  QVERIFY(all(*dialog)->isVisible() && !all(*dialog)->isChecked());
  all(*dialog)->click();
  QVERIFY(dialog->target()->text().endsWith(QStringLiteral("-and-1-tables")));
  dialog->exportButton()->click();
  QTRY_VERIFY(dialog->message().startsWith(QStringLiteral("Wrote ")));
  const std::vector<NamedRunFile> runs = story.engine.lastExport().runs;
  QCOMPARE(runs.size(), std::size_t{2});
  for (int row : {0, 1}) {
    const ListedRun& run = story.window.runs().at(row);
    QVERIFY(runs[std::size_t(row)].file == run.file);
    QCOMPARE(runs[std::size_t(row)].name, run.name.toStdString());
  }
  // If the run on display is not ticked, the table is named after the first ticked run.
  delete dialog;
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.window.runs().count(), 3);
  QTRY_VERIFY(story.window.command("exportData")->isEnabled());
  story.window.runs().setShown(2, false);
  story.window.command("exportData")->trigger();
  dialog = story.window.findChild<DataDialog*>();
  dialog->forms()->setCurrentIndex(dialog->forms()->findData(int(RunForm::Latex)));
  const std::string first = story.window.runs().at(0).file.stem().string();
  QVERIFY(dialog->target()->text().endsWith(QString::fromStdString(first) +
                                            QStringLiteral("-and-1-table.tex")));
}

void tst_story_runs::dataOfTheRunIsExported() {
  Story story;
  QVERIFY(!story.window.command("exportData")->isEnabled());
  story.window.command("run")->trigger();
  QTRY_VERIFY(story.window.command("exportData")->isEnabled());
  story.window.selection().selectStep(4);
  story.window.command("exportData")->trigger();
  auto* dialog = story.window.findChild<DataDialog*>();
  QVERIFY(dialog && dialog->isVisible());
  const auto* run = dialog->findChild<QLabel*>(QStringLiteral("dataRun"));
  QVERIFY(run->text().contains(story.window.runs().at(0).name));
  const auto choose = [&](RunForm form) {
    dialog->forms()->setCurrentIndex(dialog->forms()->findData(int(form)));
  };
  choose(RunForm::Csv);
  QVERIFY(!dialog->step()->isEnabled());
  dialog->target()->setText(QStringLiteral("/somewhere/tables"));
  dialog->exportButton()->click();
  QTRY_COMPARE(dialog->message(), QStringLiteral("Wrote /somewhere/tables"));
  QCOMPARE(story.engine.lastExport().file, story.window.controller().file());
  choose(RunForm::Adapter);
  QVERIFY(dialog->step()->isEnabled());
  QCOMPARE(dialog->step()->value(), 4);
  QVERIFY(dialog->target()->text().endsWith(QStringLiteral("step-4-adapter")));
  dialog->step()->setValue(6);
  QVERIFY(dialog->target()->text().endsWith(QStringLiteral("step-6-adapter")));
  // When the step changes the file's name, the typed folder stays.
  dialog->target()->setText(QStringLiteral("/elsewhere/patch"));
  dialog->step()->setValue(5);
  QVERIFY(dialog->target()->text().startsWith(QStringLiteral("/elsewhere/")));
  QVERIFY(dialog->target()->text().endsWith(QStringLiteral("step-5-adapter")));
  dialog->step()->setValue(6);
  dialog->target()->setText(QStringLiteral("/refuse"));
  dialog->exportButton()->click();
  QTRY_COMPARE(dialog->message(), QStringLiteral("Refused."));
  QCOMPARE(story.engine.lastExport().step, StepIndex(6));
  dialog->target()->setText(QStringLiteral("/slow"));
  dialog->exportButton()->click();
  auto* stop = dialog->findChild<QPushButton*>(QStringLiteral("dataStop"));
  QTRY_VERIFY(stop->isVisible());
  QVERIFY(!dialog->exportButton()->isEnabled());
  stop->click();
  QTRY_VERIFY(dialog->message().startsWith(QStringLiteral("Stopped")));
  story.window.setSteps(Story::kEndless);
  story.window.command("run")->trigger();
  QTRY_VERIFY(!dialog->exportButton()->isEnabled());
  QVERIFY(dialog->message().contains(QStringLiteral("in progress")));
  QVERIFY(!dialog->loadButton()->isEnabled());
  story.window.command("stop")->trigger();
  QTRY_VERIFY(dialog->exportButton()->isEnabled());
  QVERIFY(dialog->loadButton()->isEnabled());
  QVERIFY(!dialog->message().contains(QStringLiteral("in progress")));
}

EQUIPATCH_TEST(tst_story_runs)
#include "tst_story_runs.moc"
