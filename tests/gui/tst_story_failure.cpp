// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPushButton>
#include <QTemporaryDir>

#include "tests/gui/story.h"
#include "tests/support/test_case.h"
#include "ui/export/page_dialog.h"

using namespace equipatch;
using equipatch::test::Phase;
using equipatch::test::Story;

class tst_story_failure : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aFailedRunKeepsItsStepsAndThePrompt();
  void aFolderThatCannotBeLoadedIsReported();
  void theNextRunClearsTheMessage();
  void aFailedPageExportKeepsTheChosenRuns();
  void anOverflowIsShownAsAMismatch();
};

void tst_story_failure::aFailedPageExportKeepsTheChosenRuns() {
  Story story;
  story.find<QPushButton>("runGrid")->click();
  QTRY_COMPARE(story.engine.runs(), 4);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  const auto open = [&story] {
    story.window.command("exportPage")->trigger();
    return story.find<PageDialog>("pageRuns");
  };
  const QTemporaryDir folder;
  const auto finish = [&](PageDialog* pages, const char* path) {
    Q_EMIT pages->fileChosen(folder.filePath(QString::fromLatin1(path)));
    pages->close();
    QTRY_VERIFY(!story.window.findChild<PageDialog*>());
  };
  PageDialog* dialog = open();
  dialog->list()->item(2)->setCheckState(Qt::Unchecked);
  finish(dialog, "missing/page.html");
  QTRY_VERIFY(story.window.messages().isVisible());
  dialog = open();
  QCOMPARE(dialog->chosen().size(), std::size_t(dialog->list()->count() - 1));
  QCOMPARE(dialog->list()->item(2)->checkState(), Qt::Unchecked);
  finish(dialog, "page.html");
  QTRY_VERIFY(story.window.messages().text().startsWith(QStringLiteral("Saved ")));
  dialog = open();  // another page
  QCOMPARE(dialog->chosen().size(), std::size_t(dialog->list()->count()));
}

void tst_story_failure::aFailedRunKeepsItsStepsAndThePrompt() {
  Story story;
  story.engine.failAfter = 6;
  const QString prompt = QStringLiteral("It was a dreary night of November");
  story.window.setPrompt(prompt);
  story.window.command("run")->trigger();
  QTRY_VERIFY(story.window.messages().isVisible());
  QVERIFY(story.window.messages().text().startsWith(QStringLiteral("Layer 3, mlp_out")));
  QCOMPARE(story.phase(), Phase::Idle);
  QCOMPARE(story.steps(), 6);
  QCOMPARE(story.window.charts().chart<LogitChart>()->series(0)->dataCount(), 6);
  QCOMPARE(story.find<QTextEdit>("prompt")->toPlainText(), prompt);
  QVERIFY(!QApplication::activeModalWidget());
}

void tst_story_failure::aFolderThatCannotBeLoadedIsReported() {
  Story story;
  story.engine.loadFailure = "The folder /models/synthetic has no config.json.";
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.window.messages().text(),
               QStringLiteral("The folder /models/synthetic has no config.json."));
  QCOMPARE(story.phase(), Phase::Idle);
  QVERIFY(story.window.command("run")->isEnabled());
  QTest::keyClick(&story.window, Qt::Key_Escape);
  QTRY_VERIFY(!story.window.messages().isVisible());
}

void tst_story_failure::theNextRunClearsTheMessage() {
  Story story;
  story.engine.failAfter = 0;
  story.window.command("run")->trigger();
  QTRY_VERIFY(story.window.messages().isVisible());
  story.engine.failAfter = -1;
  story.window.command("run")->trigger();
  QVERIFY(!story.window.messages().isVisible());
  QTRY_COMPARE(story.steps(), 20);
}

void tst_story_failure::anOverflowIsShownAsAMismatch() {
  Story story;
  story.engine.overflowAt = 6;
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.steps(), 20);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  const auto verdictOf = [&](int step) {
    return story.strip()->toolTipAt(story.strip()->chipOf(step).center());
  };
  QVERIFY(verdictOf(5).contains(QStringLiteral("tokens match")));
  QVERIFY(verdictOf(6).contains(QStringLiteral("✗ mismatch")));
  const auto* chart = story.window.charts().chart<LogitChart>();
  QCOMPARE(chart->series(0)->dataCount(), 20);
  QVERIFY(chart->plot().yAxis->range().upper < 1e6);
  QTest::keyClick(&story.window, Qt::Key_F3);
  const auto* panel = story.window.findChild<StepPanel*>();
  QVERIFY(panel->heading().startsWith(QStringLiteral("Step 6: ")));
  QVERIFY(panel->verdict().startsWith(QStringLiteral("✗ ")));
  QCOMPARE(panel->distances().text(1, 1), QStringLiteral("∞"));
  story.window.grab();  // any warning fails the test
  QVERIFY(story.window.messages().text().isEmpty());
}

EQUIPATCH_TEST(tst_story_failure)
#include "tst_story_failure.moc"
