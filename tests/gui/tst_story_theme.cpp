// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/story.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::Phase;
using equipatch::test::Story;

class tst_story_theme : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theDarkThemeIsAppliedAndRemembered();
};

void tst_story_theme::theDarkThemeIsAppliedAndRemembered() {
  Story story;
  story.window.setThemeMode(Theme::Mode::Light);
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.phase(), Phase::Idle);
  const auto* linf = story.window.charts().chart<LogitChart>()->series(0);
  const QColor lightLine = linf->pen().color();
  const int lightWindow = story.window.palette().color(QPalette::Window).lightness();
  for (QAction* action : story.window.findChildren<QAction*>())
    if (action->text() == QStringLiteral("&Dark")) action->trigger();
  QVERIFY(linf->pen().color() != lightLine);
  QVERIFY(story.window.palette().color(QPalette::Window).lightness() < lightWindow / 2);
  const MainWindow next(story.engine);
  QVERIFY(next.palette().color(QPalette::Window).lightness() < lightWindow / 2);
  // The application's palette is dark by now, so "As the system" would look the same.
  QVERIFY(next.command("themeDark")->isChecked());
}

EQUIPATCH_TEST(tst_story_theme)
#include "tst_story_theme.moc"
