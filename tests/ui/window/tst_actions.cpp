#include <QSet>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "ui/window/actions.h"

using namespace equipatch;

namespace {

QList<QAction*> commands(const Actions& a) {
  return {a.open, a.saveRun,      a.quit,         a.run,       a.pause,       a.step,
          a.stop, a.followNewest, a.nextMismatch, a.resetZoom, a.resetLayout, a.help};
}

}  // namespace

class tst_actions : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void everyActionHasAShortcut();
  void shortcutsAreUnique();
  void enablesWhatMakesSense();
  void themesExcludeOneAnother();
  void menusHoldAllActions();
};

void tst_actions::everyActionHasAShortcut() {
  const Theme theme;
  const Actions actions(theme, nullptr);
  for (const QAction* action : commands(actions))
    QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
}

void tst_actions::shortcutsAreUnique() {
  const Theme theme;
  const Actions actions(theme, nullptr);
  QSet<QString> seen;
  for (const QAction* action : commands(actions))
    for (const QKeySequence& key : action->shortcuts()) {
      QVERIFY2(!seen.contains(key.toString()), qPrintable(key.toString()));
      seen.insert(key.toString());
    }
}

void tst_actions::enablesWhatMakesSense() {
  using Phase = RunController::Phase;
  const Theme theme;
  Actions actions(theme, nullptr);
  const auto enabled = [&](Phase phase) {
    actions.setPhase(phase);
    QString text;
    if (actions.run->isEnabled()) text += u'r';
    if (actions.pause->isEnabled()) text += u'p';
    if (actions.step->isEnabled()) text += u's';
    if (actions.stop->isEnabled()) text += u't';
    return text;
  };
  QCOMPARE(enabled(Phase::Idle), QStringLiteral("rs"));
  QCOMPARE(enabled(Phase::Loading), QStringLiteral("t"));
  QCOMPARE(enabled(Phase::Running), QStringLiteral("pst"));
  QCOMPARE(enabled(Phase::Paused), QStringLiteral("rst"));
  QCOMPARE(enabled(Phase::Stopping), QString());
}

void tst_actions::themesExcludeOneAnother() {
  const Theme theme;
  Actions actions(theme, nullptr);
  QMenuBar bar;
  actions.fillMenus(bar, {});
  actions.setThemeMode(Theme::Mode::Light);
  QSignalSpy chosen(&actions, &Actions::themeChosen);
  const auto* group = actions.findChild<QActionGroup*>();
  group->actions()[2]->trigger();
  QCOMPARE(chosen.count(), 1);
  QCOMPARE(chosen[0][0].value<Theme::Mode>(), Theme::Mode::Dark);
  QVERIFY(!group->actions()[1]->isChecked());
}

void tst_actions::menusHoldAllActions() {
  const Theme theme;
  Actions actions(theme, nullptr);
  QMenuBar bar;
  actions.fillMenus(bar, {});
  QList<QAction*> held;
  for (const QAction* menu : bar.actions()) held << menu->menu()->actions();
  for (QAction* action : commands(actions))
    QVERIFY2(held.contains(action), qPrintable(action->text()));
}

EQUIPATCH_TEST(tst_actions)
#include "tst_actions.moc"
