// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/story.h"
#include "tests/support/test_case.h"
#include "ui/export/export_dialog.h"

using namespace equipatch;
using equipatch::test::Phase;
using equipatch::test::Story;

class tst_story_run : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aRunLoadsTheModelAndFillsEveryView();
  void theKeyboardPausesStepsAndResumesARun();
  void stepOnAnIdleWindowTakesOneStep();
  void stopKeepsTheStepsComputedSoFar();
  void anotherRunReplacesTheFirst();
  void closingTheWindowStopsARun();
  void aRecordedRunCanBeOpened();
  void aRunReportsThatItIsNotRecorded();
};

void tst_story_run::aRunLoadsTheModelAndFillsEveryView() {
  Story story;
  QTest::keyClick(&story.window, Qt::Key_F5);
  QTRY_COMPARE(story.steps(), 20);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  const ChartGrid& charts = story.window.charts();
  QCOMPARE(charts.chart<LogitChart>()->series(0)->dataCount(), 20);
  QVERIFY(charts.chart<NormChart>()->isDataVisible());
  QVERIFY(charts.chart<HeatmapChart>()->isDataVisible());
  QVERIFY(charts.chart<ErrorChart>()->isDataVisible());
  QCOMPARE(story.strip()->stepCount(), 20);
  QCOMPARE(story.find<QLabel>("status")->text(),
           QStringLiteral("Ready: 20 steps, no mismatch"));
}

void tst_story_run::theKeyboardPausesStepsAndResumesARun() {
  Story story(Story::kEndless);
  QTest::keyClick(&story.window, Qt::Key_F5);
  QTRY_VERIFY(story.steps() > 0);
  QTest::keyClick(&story.window, Qt::Key_F6);
  QTRY_COMPARE(story.phase(), Phase::Paused);
  const int count = story.steps();
  QTest::keyClick(&story.window, Qt::Key_F7);
  QTRY_COMPARE(story.steps(), count + 1);
  QTRY_COMPARE(story.phase(), Phase::Paused);
  QCOMPARE(story.steps(), count + 1);
  QTest::keyClick(&story.window, Qt::Key_F5);
  QTRY_VERIFY(story.steps() > count + 1);
}

void tst_story_run::stepOnAnIdleWindowTakesOneStep() {
  Story story;
  QTest::keyClick(&story.window, Qt::Key_F7);
  QTRY_COMPARE(story.phase(), Phase::Paused);
  QCOMPARE(story.steps(), 1);
}

void tst_story_run::stopKeepsTheStepsComputedSoFar() {
  Story story(Story::kEndless);
  story.window.command("run")->trigger();
  QTRY_VERIFY(story.steps() > 3);
  story.window.command("stop")->trigger();
  QTRY_COMPARE(story.phase(), Phase::Idle);
  const int count = story.steps();
  QVERIFY(count > 3 && count < Story::kEndless);
  QCOMPARE(story.window.charts().chart<LogitChart>()->series(0)->dataCount(), count);
  QVERIFY(story.window.messages().text().isEmpty());
}

void tst_story_run::anotherRunReplacesTheFirst() {
  Story story;
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.phase(), Phase::Idle);
  story.window.setSteps(5);
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.engine.runs(), 2);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QCOMPARE(story.steps(), 5);
  QCOMPARE(story.strip()->stepCount(), 5);
}

void tst_story_run::closingTheWindowStopsARun() {
  Story story(Story::kEndless);
  story.window.command("run")->trigger();
  QTRY_VERIFY(story.steps() > 0);
  QVERIFY(story.window.close());
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QVERIFY(story.steps() < Story::kEndless);
}

void tst_story_run::aRecordedRunCanBeOpened() {
  Story story;
  QVERIFY(story.window.command("openRun")->isEnabled());
  QVERIFY(!story.window.command("saveRun")->isEnabled());
  QVERIFY(!story.window.command("exportFigure")->isEnabled());
  QVERIFY(!story.window.command("exportPage")->isEnabled());
  QTest::keyClick(&story.window, Qt::Key_F5);
  QTRY_VERIFY(story.phase() != Phase::Idle);
  QVERIFY(!story.window.command("openRun")->isEnabled());
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QTRY_VERIFY(story.window.command("saveRun")->isEnabled());
  const auto record = story.engine.lastRecord();
  QVERIFY(std::filesystem::exists(record));
  story.window.openRuns({QString::fromStdString(record.string())});
  QTRY_COMPARE(story.steps(), test::SyntheticEngine::kStoredSteps);
  QCOMPARE(story.engine.lastOpened(), record);
  QVERIFY(story.window.windowTitle().startsWith(
      QString::fromStdString(record.filename().string())));
  QCOMPARE(story.strip()->stepCount(), story.steps());
  QVERIFY(story.window.charts().chart<HeatmapChart>()->isDataVisible());
  story.window.command("exportFigure")->trigger();
  auto* dialog = story.window.findChild<ExportDialog*>();
  QVERIFY(dialog && dialog->isVisible());
  QTRY_VERIFY(!dialog->preview()->image().isNull());
}

/// A file is where the folder of recorded runs should be.
void tst_story_run::aRunReportsThatItIsNotRecorded() {
  Story story;
  const QFileInfo folder(RunStore::defaultFolder());
  QVERIFY(QDir().mkpath(folder.path()));
  QFile file(folder.filePath());
  QVERIFY(file.open(QIODevice::WriteOnly));
  for (const char* command : {"run", "runAgain"}) {
    story.window.command(command)->trigger();
    const QString message = story.window.messages().text();
    QVERIFY2(message.contains(QStringLiteral("not recorded")), qPrintable(message));
    QTRY_COMPARE(story.steps(), 20);
    QTRY_COMPARE(story.phase(), Phase::Idle);
    QVERIFY(story.engine.lastRecord().empty());
  }
  QCOMPARE(story.engine.runs(), 2);
}

EQUIPATCH_TEST(tst_story_run)
#include "tst_story_run.moc"
