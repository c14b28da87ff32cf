// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QComboBox>
#include <QSlider>
#include <QTableView>

#include "tests/gui/story.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/application_font.h"
#include "tests/ui/support/drop_files.h"

using namespace equipatch;
using equipatch::test::Phase;
using equipatch::test::Story;

/// What a user does before and after a run.
class tst_story_explore : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theStrengthSliderAddsAColumn();
  void aSpanMarkedInThePromptIsNotAbsorbed();
  void absorbedTokensAreRestoredAtTheNextStart();
  void keyTShowsEachChartAsATable();
  void choosingAnotherTokenStartsAnotherRun();
  void theSettingsOfAnOpenedRunAreUsed();
  void aFolderIsDroppedOnTheWindow();
  void presentationHidesThePanels();

 private:
  static void finish(Story& story) {
    story.window.command("run")->trigger();
    QTRY_COMPARE(story.steps(), 20);
    QTRY_COMPARE(story.phase(), Phase::Idle);
  }
};

void tst_story_explore::theStrengthSliderAddsAColumn() {
  Story story;
  finish(story);
  const auto* table = story.find<QTableView>("choices");
  QCOMPARE(table->model()->columnCount(), 3);
  story.find<QSlider>("strength")->setValue(50);
  QTRY_COMPARE(table->model()->columnCount(), 4);
  QVERIFY(table->model()
              ->headerData(3, Qt::Horizontal)
              .toString()
              .startsWith(QStringLiteral("α 0.50")));
  const auto* panel = story.window.findChild<StepPanel*>();
  const int last = panel->distances().rowCount() - 1;
  QCOMPARE(panel->distances().text(last, 0), QStringLiteral("α 0.50"));
  QTest::keyClick(story.find<LayerToggles>("layerToggles"), Qt::Key_Space);
  QTRY_VERIFY(story.window.findChild<StrengthPanel*>()->shown() &&
              story.window.findChild<StrengthPanel*>()->shown()->strength.layers.size() ==
                  5);
  // The button stays under the mouse when its click removes the column.
  const auto* reset = story.find<QWidget>("strengthReset");
  const auto height = [&] { return reset->mapTo(panel, QPoint()).y(); };
  QCoreApplication::processEvents();
  const int before = height();
  story.find<QPushButton>("strengthReset")->click();
  QTRY_COMPARE(table->model()->columnCount(), 3);
  QCoreApplication::processEvents();
  QCOMPARE(height(), before);
}

void tst_story_explore::aSpanMarkedInThePromptIsNotAbsorbed() {
  Story story;
  story.window.setPrompt(QStringLiteral("Once upon a time"));
  story.window.loadChosenModel();
  auto* prompt = story.find<PromptView>("prompt");
  QTRY_COMPARE(story.window.findChild<PromptEditor*>()->tokenCount(), 5);
  QTextCursor cursor = prompt->textCursor();
  cursor.setPosition(6);  // in "upon"
  cursor.setPosition(11, QTextCursor::KeepAnchor);
  prompt->setTextCursor(cursor);
  prompt->setFocus();
  QTest::keyClick(prompt, Qt::Key_M, Qt::ControlModifier);
  QCOMPARE(prompt->kept(), (std::vector<TextSpan>{{5, 12}}));
  QCOMPARE(story.find<QComboBox>("absorb")->currentText(),
           QStringLiteral("0-1,4,generated"));
  finish(story);
  QVERIFY(story.engine.lastRequest().absorbed.keptPrompt ==
          (std::vector<PositionRange>{{2, 3}}));
  QTest::keySequence(prompt, QKeySequence::Undo);
  QCOMPARE(story.find<QComboBox>("absorb")->currentText(), QStringLiteral("all"));
  QCOMPARE(prompt->toPlainText(), QStringLiteral("Once upon a time"));
  QTest::keySequence(prompt, QKeySequence::Redo);
  QCOMPARE(prompt->kept().size(), std::size_t(1));
}

void tst_story_explore::absorbedTokensAreRestoredAtTheNextStart() {
  Story story;
  story.window.loadChosenModel();
  QTRY_VERIFY(story.window.findChild<PromptEditor*>()->tokenCount() > 2);
  story.window.findChild<PromptEditor*>()->setAbsorbed("1-2,generated");
  story.window.close();
  const MainWindow next(story.engine);
  QCOMPARE(next.findChild<PromptEditor*>()->absorbed(), std::string("1-2,generated"));
}

void tst_story_explore::keyTShowsEachChartAsATable() {
  Story story;
  finish(story);
  const ChartGrid& charts = story.window.charts();
  for (ChartView* chart : {static_cast<ChartView*>(charts.chart<LogitChart>()),
                           static_cast<ChartView*>(charts.chart<NormChart>()),
                           static_cast<ChartView*>(charts.chart<HeatmapChart>()),
                           static_cast<ChartView*>(charts.chart<ErrorChart>())}) {
    QTest::keyClick(chart, Qt::Key_T);
    QVERIFY(chart->isTable());
    QVERIFY(chart->table().numbers().rowCount() > 0);
    QVERIFY(!chart->table().accessibleName().isEmpty());
  }
  const ChartTable& numbers = charts.chart<LogitChart>()->table();
  QCOMPARE(numbers.numbers().rowCount(), 20);
  numbers.copy();
  const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n');
  QCOMPARE(lines[0].section(u'\t', 0, 2), QStringLiteral("step\ttoken\tL∞"));
  QCOMPARE(lines[8].section(u'\t', 2, 2).toDouble(),
           story.window.model().step(7).patchedDistance.linf);
  QTest::keyClick(charts.chart<LogitChart>(), Qt::Key_T);
  QVERIFY(!charts.chart<LogitChart>()->isTable());
}

void tst_story_explore::choosingAnotherTokenStartsAnotherRun() {
  Story story;
  finish(story);
  story.window.selection().selectStep(3);
  const RunRequest first = story.engine.lastRequest();
  const StepRecord& step = story.window.model().step(3);
  const TokenId chosen = step.contextual[2].id;
  std::vector<TokenId> before;
  for (int i = 0; i < 3; ++i) before.push_back(story.window.model().step(i).continued);
  auto* table = story.find<QTableView>("choices");
  table->setCurrentIndex(table->model()->index(2, 0));
  QTest::keyClick(table, Qt::Key_Return);
  QTRY_COMPARE(story.engine.runs(), 2);
  const RunRequest& branch = story.engine.lastRequest();
  QCOMPARE(branch.prompt.size(), first.prompt.size() + 4);
  QCOMPARE(branch.prompt[first.prompt.size()].id, before[0]);
  QCOMPARE(branch.prompt.back().id, chosen);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QCOMPARE(story.engine.loads(), 1);
  // The strip shows the branch's whole prompt, including tokens of the first run.
  const TokenStrip* strip = story.strip();
  QCOMPARE(strip->stepCount(), story.steps());
  const int last = int(branch.prompt.size()) - 1;
  QVERIFY(strip->toolTipAt(strip->chipOfPrompt(last).center())
              .startsWith(
                  QStringLiteral("generated before the branch, token %1: ").arg(last)));
  QVERIFY(strip->toolTipAt(strip->chipOfPrompt(0).center())
              .startsWith(QStringLiteral("prompt, token 0: ")));
  QVERIFY(strip->chipOfPrompt(last).right() < strip->chipOf(0).left());
  // A candidate's context menu starts a branch too.
  story.window.selection().selectStep(1);
  table->setCurrentIndex(table->model()->index(1, 0));
  const TokenId other = story.window.model().step(1).contextual[1].id;
  story.find<QAction>("branchHere")->trigger();
  QTRY_COMPARE(story.engine.runs(), 3);
  QCOMPARE(story.engine.lastRequest().prompt.back().id, other);
}

void tst_story_explore::theSettingsOfAnOpenedRunAreUsed() {
  Story story;
  QVERIFY(!story.window.command("useSettings")->isEnabled());
  finish(story);
  story.window.openRuns({QString::fromStdString(story.engine.lastRecord().string())});
  QTRY_COMPARE(story.steps(), test::SyntheticEngine::kStoredSteps);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  const auto& opened = story.window.model().header()->request;
  story.window.command("useSettings")->trigger();
  QCOMPARE(story.find<QSpinBox>("steps")->value(), int(opened.steps));
}

void tst_story_explore::aFolderIsDroppedOnTheWindow() {
  Story story;
  test::dropFiles(story.window, {QStringLiteral("/models/dropped")});
  QTRY_VERIFY(story.window.controller().loaded());
  QCOMPARE(story.window.controller().loaded()->folder, std::string("/models/dropped"));
}

void tst_story_explore::presentationHidesThePanels() {
  Story story;
  finish(story);
  const auto* dock = story.find<QWidget>("modelDock");
  const int line = story.strip()->sizeHint().height();
  QTest::keyClick(&story.window, Qt::Key_F11);
  QTRY_VERIFY(!dock->isVisible());
  test::sendApplicationFontChange();
  QVERIFY(story.strip()->sizeHint().height() > line);
  story.window.selection().selectStep(4);
  QTest::keyClick(&story.window, Qt::Key_Right);
  QCOMPARE(story.window.selection().step(), 5);
  QTest::keyClick(&story.window, Qt::Key_Escape);
  QTRY_VERIFY(dock->isVisible());
  QVERIFY(!story.window.command("present")->isChecked());
}

EQUIPATCH_TEST(tst_story_explore)
#include "tst_story_explore.moc"
