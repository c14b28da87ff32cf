// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/story.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::Phase;
using equipatch::test::Story;

class tst_story_select : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void clickingATokenMovesEveryView();
  void theSelectionStaysWhileTheRunGoesOn();
  void f3GoesToTheMismatches();
};

namespace {

QString heading(const Story& story) {
  return story.window.findChild<StepPanel*>()->heading();
}

}  // namespace

void tst_story_select::clickingATokenMovesEveryView() {
  Story story;
  story.engine.shape.mismatchEvery = 5;
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.phase(), Phase::Idle);
  story.window.command("followNewest")->trigger();
  QVERIFY(heading(story).startsWith(QStringLiteral("Step 19, newest: ")));
  TokenStrip* strip = story.strip();
  QTest::keyClick(strip, Qt::Key_Home);
  QTest::mouseClick(strip->viewport(), Qt::LeftButton, {}, strip->chipOf(4).center());
  QVERIFY(heading(story).startsWith(QStringLiteral("Step 4: ")));
  QCOMPARE(story.window.charts().chart<LogitChart>()->marker(), 4);
  QVERIFY(story.window.charts().chart<NormChart>()->title().endsWith(
      QStringLiteral("step 4")));
  QVERIFY(story.window.charts().chart<ErrorChart>()->title().endsWith(
      QStringLiteral("step 4")));
  QVERIFY(story.window.charts().chart<HeatmapChart>()->title().endsWith(
      QStringLiteral("step 4")));
}

void tst_story_select::theSelectionStaysWhileTheRunGoesOn() {
  Story story(Story::kEndless);
  story.window.command("run")->trigger();
  QTRY_VERIFY(story.steps() > 5);
  story.window.selection().selectStep(2);
  const int count = story.steps();
  QTRY_VERIFY(story.steps() > count);
  QVERIFY(heading(story).startsWith(QStringLiteral("Step 2: ")));
  QTest::keyClick(story.strip(), Qt::Key_End);
  QVERIFY(heading(story).contains(QStringLiteral(", newest: ")));
}

void tst_story_select::f3GoesToTheMismatches() {
  Story story;
  story.engine.shape.mismatchEvery = 8;
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QTest::keyClick(&story.window, Qt::Key_F3);
  QCOMPARE(story.window.selection().step(), 7);
  QTest::keyClick(&story.window, Qt::Key_F3);
  QCOMPARE(story.window.selection().step(), 15);
}

EQUIPATCH_TEST(tst_story_select)
#include "tst_story_select.moc"
