// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"

#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>
#include <QSettings>
#include <QToolTip>
#include <stdexcept>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "tests/ui/support/tiny_window.h"
#include "ui/export/export_dialog.h"
#include "ui/lab/lab_window.h"
#include "ui/window/main_window.h"

using namespace equipatch;

namespace {

constexpr const char* kCommon[] = {
    "open", "saveRun",      "quit",         "run",       "pause",       "step",
    "stop", "followNewest", "nextMismatch", "resetZoom", "resetLayout", "help"};

struct WindowCommands {
  test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window{engine};

  QList<QAction*> inMenus() const {
    QList<QAction*> held;
    for (const QAction* menu : window.menuBar()->actions())
      held << menu->menu()->actions();
    return held;
  }

  QString enabled() const {
    QString text;
    if (window.command("run")->isEnabled()) text += u'r';
    if (window.command("pause")->isEnabled()) text += u'p';
    if (window.command("step")->isEnabled()) text += u's';
    if (window.command("stop")->isEnabled()) text += u't';
    return text;
  }
};

/// The tooltip of a command in its menu, or an empty text.
QString tipInMenu(const MainWindow& window, const char* command) {
  QAction* action = window.command(command);
  for (const QAction* entry : window.menuBar()->actions()) {
    QMenu& menu = *entry->menu();
    if (!menu.actions().contains(action)) continue;
    menu.popup({});
    const QPoint place = menu.actionGeometry(action).center();
    QHelpEvent help(QEvent::ToolTip, place, menu.mapToGlobal(place));
    QCoreApplication::sendEvent(&menu, &help);
    const QString tip = QToolTip::text();
    menu.close();
    return tip;
  }
  return {};
}

/// The mnemonics that several visible fields or buttons of a window share.
QString doubledMnemonics(const QWidget& window) {
  QStringList letters, doubled;
  const auto add = [&](const QWidget& widget, const QString& text) {
    const QString letter = QKeySequence::mnemonic(text).toString();
    if (letter.isEmpty() || widget.window() != &window || !widget.isVisible()) return;
    if (letters.contains(letter)) doubled << letter + u' ' + text;
    letters << letter;
  };
  for (const auto* button : window.findChildren<QAbstractButton*>())
    add(*button, button->text());
  for (const auto* label : window.findChildren<QLabel*>())
    if (label->buddy()) add(*label, label->text());
  for (const auto* tabs : window.findChildren<QTabBar*>())
    for (int tab = 0; tab < tabs->count(); ++tab) add(*tabs, tabs->tabText(tab));
  return doubled.join(u", ");
}

}  // namespace

class tst_commands : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void actionsFollowTheirCommands();
  void commonCommandsHaveShortcuts();
  void shortcutsAreUnique();
  void commandsAreEnabledByPhase();
  void themesExcludeOneAnother();
  void anUnknownThemeFallsBackToTheSystems();
  void menusHoldTheCommonCommands();
  void menuToolTipsAreShownOnlyIfTheySayMore();
  void noMenuHasAMnemonicTwice();
  void noDialogHasAMnemonicTwice();
};

void tst_commands::actionsFollowTheirCommands() {
  QObject owner;
  Commands commands(owner);
  QMenu menu;
  bool on = false;
  QAction* action = commands.add(menu, {.name = "light",
                                        .text = QStringLiteral("&Light"),
                                        .keys = {Qt::Key_F2, Qt::Key_F3},
                                        .run = [&] { on = !on; },
                                        .enabled = [&] { return !on; },
                                        .checked = [&] { return on; }});
  QCOMPARE(menu.actions(), QList<QAction*>{action});
  QCOMPARE(commands.action("light"), action);
  QCOMPARE(action->toolTip(), QStringLiteral("Light (F2)"));
  QVERIFY_THROWS_EXCEPTION(std::out_of_range, commands.action("dark"));
  action->trigger();
  QVERIFY(on);
  commands.refresh();
  QVERIFY(!action->isEnabled() && action->isChecked());
}

void tst_commands::commonCommandsHaveShortcuts() {
  const WindowCommands commands;
  for (const char* name : kCommon)
    QVERIFY2(!commands.window.command(name)->shortcut().isEmpty(), name);
}

/// Includes commands that are in no menu, such as the prompt's.
void tst_commands::shortcutsAreUnique() {
  const WindowCommands commands;
  QSet<QString> seen;
  for (const QAction* action : commands.window.findChildren<QAction*>())
    for (const QKeySequence& key : action->shortcuts()) {
      if (action->shortcutContext() == Qt::WidgetShortcut) continue;
      QVERIFY2(!seen.contains(key.toString()), qPrintable(key.toString()));
      seen.insert(key.toString());
    }
  for (const char* key : {"F5", "Ctrl+M", "Alt+1"}) QVERIFY2(seen.contains(key), key);
}

void tst_commands::commandsAreEnabledByPhase() {
  using Phase = RunController::Phase;
  WindowCommands commands;
  MainWindow& window = commands.window;
  const auto phase = [&] { return window.controller().phase(); };
  QCOMPARE(commands.enabled(), QStringLiteral("rs"));
  window.setFolder(QStringLiteral("/models/tiny"));
  window.setSteps(100000);
  window.command("step")->trigger();
  QCOMPARE(phase(), Phase::Loading);
  QCOMPARE(commands.enabled(), QStringLiteral("t"));
  QTRY_COMPARE(phase(), Phase::Paused);
  QCOMPARE(commands.enabled(), QStringLiteral("rst"));
  window.command("run")->trigger();
  QTRY_COMPARE(phase(), Phase::Running);
  QCOMPARE(commands.enabled(), QStringLiteral("pst"));
  window.command("stop")->trigger();
  QCOMPARE(phase(), Phase::Stopping);
  QCOMPARE(commands.enabled(), QString());
  QTRY_COMPARE(phase(), Phase::Idle);
  QCOMPARE(commands.enabled(), QStringLiteral("rs"));
}

void tst_commands::themesExcludeOneAnother() {
  WindowCommands commands;
  MainWindow& window = commands.window;
  window.setThemeMode(Theme::Mode::Light);
  QAction* dark = window.command("themeDark");
  for (int times = 0; times < 2; ++times) {  // a second choice keeps the check mark
    dark->trigger();
    QVERIFY(dark->isChecked());
    QVERIFY(!window.command("themeLight")->isChecked());
  }
  QCOMPARE(dark->actionGroup()->actions().size(), 3);
  QVERIFY(dark->actionGroup()->isExclusive());
  // The palette belongs to the application and would stay dark for later tests.
  window.command("themeSystem")->trigger();
}

/// Another version of the program may have saved the number, or a user edited it.
void tst_commands::anUnknownThemeFallsBackToTheSystems() {
  const test::ScratchSettings scratch;
  for (const int mode : {-1, 3}) {
    QSettings().setValue(QStringLiteral("window/theme"), mode);
    test::SyntheticEngine engine;
    MainWindow window(engine);
    QVERIFY(window.command("themeSystem")->isChecked());
  }
}

void tst_commands::menusHoldTheCommonCommands() {
  const WindowCommands commands;
  const QList<QAction*> held = commands.inMenus();
  for (const char* name : kCommon)
    QVERIFY2(held.contains(commands.window.command(name)), name);
}

void tst_commands::menuToolTipsAreShownOnlyIfTheySayMore() {
  const test::QuietPlatform quiet;
  const WindowCommands commands;
  // Commands without a tooltip come first, because a shown tooltip fades slowly.
  for (const char* name : {"run", "getModel", "quit", "about"})
    QCOMPARE(tipInMenu(commands.window, name), QString());
  for (const char* name : {"exportData", "useSettings", "explain", "cite"})
    QCOMPARE(tipInMenu(commands.window, name), commands.window.command(name)->toolTip());
}

/// If entries share a letter, the letter's key highlights an entry and triggers none.
void tst_commands::noMenuHasAMnemonicTwice() {
  const WindowCommands commands;
  for (const QMenu* menu : commands.window.menuBar()->findChildren<QMenu*>()) {
    QStringList letters;
    for (const QAction* entry : menu->actions())
      letters << QKeySequence::mnemonic(entry->text()).toString();
    letters.removeAll(QString());
    letters.sort();
    QVERIFY2(letters.removeDuplicates() == 0,
             qPrintable(menu->title() + letters.join(u' ')));
  }
}

/// Fields that are never visible together may share a letter, as "Only step" and "Step"
/// of the figure dialog do.
void tst_commands::noDialogHasAMnemonicTwice() {
  test::TinyWindow tiny(4);
  tiny.run();
  for (const char* command :
       {"exportFigure", "exportData", "earlierRuns", "help", "getModel", "lab"})
    tiny.window.command(command)->trigger();
  tiny.window.findChild<LabWindow*>()->startButton()->click();
  QTRY_VERIFY(tiny.window.findChild<LabWindow*>()->exportButton()->isEnabled());
  tiny.window.findChild<LabWindow*>()->exportButton()->click();
  QComboBox* kinds = tiny.window.findChild<ExportDialog*>()->kinds();
  int windows = 0;
  for (int kind = 0; kind < kinds->count(); ++kind) {
    kinds->setCurrentIndex(kind);
    for (const QWidget* window : QApplication::topLevelWidgets()) {
      if (!window->isVisible()) continue;
      ++windows;
      QVERIFY2(doubledMnemonics(*window).isEmpty(),
               qPrintable(window->windowTitle() + doubledMnemonics(*window)));
    }
  }
  QVERIFY(windows >= 7 * kinds->count());
}

EQUIPATCH_TEST(tst_commands)
#include "tst_commands.moc"
