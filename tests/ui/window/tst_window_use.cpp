// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QProxyStyle>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/ui/support/tiny_window.h"
#include "ui/inspect/step_panel.h"
#include "ui/model/run_options.h"
#include "ui/prompt/prompt_editor.h"
#include "ui/runs/earlier_runs.h"

using namespace equipatch;
using equipatch::test::TinyWindow;

namespace {

/// The widgets that Tab reaches, beginning with the widget named `first`.
std::vector<QWidget*> tabStopsFrom(const MainWindow& window, const char* first) {
  std::vector<QWidget*> stops;
  auto* begin = window.findChild<QWidget*>(QString::fromLatin1(first));
  QWidget* widget = begin;
  do {
    if (widget->isVisible() && widget->isEnabled() && widget->window() == &window &&
        (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy())
      stops.push_back(widget);
    widget = widget->nextInFocusChain();
  } while (widget != begin);
  return stops;
}

/// A style whose dialog buttons have icons, as on most desktops.
class IconStyle final : public QProxyStyle {
 public:
  IconStyle() : QProxyStyle(QStringLiteral("Fusion")) {}
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* result) const override {
    return hint == SH_DialogButtonBox_ButtonsHaveIcons
               ? 1
               : QProxyStyle::styleHint(hint, option, widget, result);
  }
};

}  // namespace

class tst_window_use : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void tabGoesThroughThePartsInTheirOrder();
  void everyTabStopShowsTheFocus();
  void tabPassesOverDocksBehindOthers();
  void displayingAListedRunKeepsTheSettings();
  void aPresentationSaysThatARunIsPaused();
  void namesTheSettingsThatHaveNoField();
  void aRunClickedWhileAnotherIsReadIsShownNext();
  void aFinishedRunAppearsAmongEarlierRuns();
  void aTrashedRunCannotBeSavedOrContinued();
  void buttonsOfDialogsHaveNoIcons();
  void methodAndStepsNeedNoScrolling();
  void aPausedRunGoesOnWithoutAPrompt();
  void typingAPromptKeepsALaterMessage();
  void aLoadedModelLeavesTheNewestStepSelected();
  void aRunThatWaitsForItsModelIsRecorded();
  void aBranchStartsFromTheRunOnDisplay();
  void aGridOnAnotherModelHasTheTokensOfThatModel();
};

/// The editor has prepared the prompt for the loaded model, which has no chat template.
void tst_window_use::aGridOnAnotherModelHasTheTokensOfThatModel() {
  TinyWindow tiny(2);
  tiny.window.findChild<PromptEditor*>()->setForm(PromptForm::Chat);
  tiny.window.setPrompt(QStringLiteral("Once"));
  tiny.run();
  QCOMPARE(tiny.engine.lastRequest().promptText, std::string("Once"));
  tiny.engine.hasChat = true;
  tiny.window.setFolder(QStringLiteral("/models/other"));
  tiny.window.command("runGrid")->trigger();
  QTRY_COMPARE(tiny.window.runs().count(), 5);
  QTRY_COMPARE(tiny.window.controller().phase(), RunController::Phase::Idle);
  QCOMPARE(tiny.engine.lastRequest().promptText, std::string("<user> Once <model> "));
}

/// For example, another run has been requested, but has not begun yet.
void tst_window_use::aBranchStartsFromTheRunOnDisplay() {
  TinyWindow tiny(4);
  MainWindow& window = tiny.window;
  tiny.run();
  const std::filesystem::path file = window.controller().file();
  window.selection().selectStep(2);
  window.run();
  QVERIFY(window.controller().file() != file);
  QCOMPARE(window.controller().displayed().file.string(), file.string());
  const Choice next = window.model().step(2).contextual.back();
  Q_EMIT window.findChild<StepPanel*>()->tokenChosen(next);
  QTRY_COMPARE(tiny.engine.lastRequest().branch.file, file.filename().string());
}

void tst_window_use::aRunThatWaitsForItsModelIsRecorded() {
  for (const char* command : {"run", "step"}) {
    TinyWindow tiny(2);
    MainWindow& window = tiny.window;
    window.loadChosenModel();
    QCOMPARE(window.controller().phase(), RunController::Phase::Loading);
    window.command(command)->trigger();
    QTRY_VERIFY(!window.model().empty());
    QVERIFY(!window.controller().file().empty());
  }
}

void tst_window_use::aLoadedModelLeavesTheNewestStepSelected() {
  TinyWindow tiny(4);
  MainWindow& window = tiny.window;
  tiny.run();
  QTRY_COMPARE(window.selection().step(), 0);  // the most contextual step
  window.command("followNewest")->trigger();
  QCOMPARE(window.selection().step(), 3);
  window.loadChosenModel();
  QCOMPARE(window.controller().phase(), RunController::Phase::Loading);
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QCOMPARE(window.selection().step(), 3);
}

void tst_window_use::typingAPromptKeepsALaterMessage() {
  TinyWindow tiny(1);
  tiny.window.setPrompt(QString());
  tiny.window.command("run")->trigger();
  auto* messages = tiny.window.findChild<MessageBar*>();
  QVERIFY(messages->text().contains(QStringLiteral("The prompt is empty")));
  messages->showMessage(QStringLiteral("The run cannot be opened."));
  const QSignalSpy edited(tiny.window.findChild<PromptEditor*>(), &PromptEditor::edited);
  tiny.window.setPrompt(QStringLiteral("Once"));
  QTRY_VERIFY(edited.count() > 0);
  QCOMPARE(messages->text(), QStringLiteral("The run cannot be opened."));
}

/// Only a new run needs the editor's prompt.
void tst_window_use::aPausedRunGoesOnWithoutAPrompt() {
  TinyWindow tiny(4);
  MainWindow& window = tiny.window;
  const auto isPausedAfter = [&window](int steps) {
    return window.controller().phase() == RunController::Phase::Paused &&
           window.model().stepCount() == steps;
  };
  window.command("step")->trigger();
  QTRY_VERIFY(isPausedAfter(1));
  window.setPrompt(QString());
  window.command("step")->trigger();
  QTRY_VERIFY(isPausedAfter(2));
  window.command("run")->trigger();
  QTRY_COMPARE(window.model().stepCount(), 4);
  QVERIFY(window.messages().text().isEmpty());
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
}

void tst_window_use::tabGoesThroughThePartsInTheirOrder() {
  TinyWindow tiny(3);
  MainWindow& window = tiny.window;
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  tiny.run();
  const std::vector<QWidget*> stops = tabStopsFrom(window, "prompt");
  const auto placeOf = [&](const QString& name) {
    return std::ranges::find(stops, name, &QWidget::objectName) - stops.begin();
  };
  const auto placeOfButton = [&](const QString& text) {
    return std::ranges::find_if(stops,
                                [&](QWidget* stop) {
                                  const auto* button = qobject_cast<QToolButton*>(stop);
                                  return button && button->text() == text;
                                }) -
           stops.begin();
  };
  const std::vector<std::ptrdiff_t> order = {
      placeOf("prompt"),      placeOfButton("Run"),  placeOfButton("Step"),
      placeOf("modelFolder"), placeOf("method"),     placeOf("steps"),
      placeOf("temperature"), placeOf("tokenStrip"), placeOf("normMeasure"),
      placeOf("choices")};
  QStringList names;
  for (const QWidget* stop : stops)
    names << stop->objectName() + u' ' + stop->metaObject()->className();
  QVERIFY2(std::ranges::is_sorted(order), qPrintable(names.join(QStringLiteral(", "))));
  QVERIFY(order.back() < std::ssize(stops));
  QVERIFY2(order[1] <= 6, qPrintable(QString::number(order[1])));
}

void tst_window_use::everyTabStopShowsTheFocus() {
  TinyWindow tiny(3);
  MainWindow& window = tiny.window;
  window.resize(1280, 800);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  tiny.run();
  QStringList unmarked;
  for (QWidget* stop : tabStopsFrom(window, "prompt")) {
    window.setFocus();
    window.setAttribute(Qt::WA_KeyboardFocusChange, false);
    const QImage without = stop->grab().toImage();
    stop->setFocus(Qt::TabFocusReason);
    window.setAttribute(Qt::WA_KeyboardFocusChange);  // as after the Tab key
    if (stop->grab().toImage() == without)
      unmarked << stop->objectName() + u' ' +
                      QString::fromLatin1(stop->metaObject()->className());
  }
  QVERIFY2(unmarked.isEmpty(), qPrintable(unmarked.join(QStringLiteral(", "))));
}

/// In a dock behind another dock, a button with the focus would be invisible.
void tst_window_use::tabPassesOverDocksBehindOthers() {
  TinyWindow tiny(3);
  MainWindow& window = tiny.window;
  window.resize(1280, 800);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  tiny.run();
  for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backtab}) {
    auto* begin = window.findChild<QWidget*>(QStringLiteral("choices"));
    begin->setFocus();
    int stops = 0;
    do {
      QTest::keyClick(window.focusWidget(), key);
      for (const char* dock : {"runsDock", "blockDock", "textDock"})
        QVERIFY2(!window.findChild<QDockWidget*>(QString::fromLatin1(dock))
                      ->isAncestorOf(window.focusWidget()),
                 qPrintable(window.focusWidget()->objectName()));
    } while (window.focusWidget() != begin && ++stops < 200);
    QVERIFY(stops > 10 && stops < 200);
  }
}

void tst_window_use::displayingAListedRunKeepsTheSettings() {
  TinyWindow tiny(4);
  MainWindow& window = tiny.window;
  tiny.run();
  window.setSteps(5);
  window.run();
  QTRY_VERIFY(window.runs().count() == 2 &&
              window.controller().phase() == RunController::Phase::Idle);
  const auto* steps = window.findChild<QSpinBox*>(QStringLiteral("steps"));
  auto* method = window.findChild<QComboBox*>(QStringLiteral("method"));
  method->setCurrentIndex(2);
  Q_EMIT window.findChild<RunsPanel*>()->displayRequested(0);
  QTRY_COMPARE(window.model().stepCount(), test::SyntheticEngine::kStoredSteps);
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QCOMPARE(steps->value(), 5);
  QCOMPARE(method->currentIndex(), 2);
  window.findChild<QPushButton*>(QStringLiteral("useSettings"))->click();
  QCOMPARE(steps->value(), test::SyntheticEngine::kStoredSteps);
  QCOMPARE(method->currentIndex(), 0);
  // An opened file offers its settings.
  auto* offer = window.findChild<QToolButton*>(QStringLiteral("offeredSettings"));
  QVERIFY(offer->isHidden());
  window.setSteps(9);
  method->setCurrentIndex(1);
  const auto* prompt = window.findChild<PromptEditor*>();
  const QString text = prompt->text();
  window.openRuns({QStringLiteral("elsewhere.eqrun")});
  QTRY_VERIFY(!offer->isHidden());
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QCOMPARE(steps->value(), 9);
  QCOMPARE(method->currentIndex(), 1);
  QCOMPARE(prompt->text(), text);
  offer->click();
  QCOMPARE(steps->value(), test::SyntheticEngine::kStoredSteps);
  QCOMPARE(method->currentIndex(), 0);
  QVERIFY(offer->isHidden());
  // A run with the panels' settings offers none; `runAgain` offers those of its run.
  window.run();
  QTRY_COMPARE(window.runs().count(), 4);
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QVERIFY(offer->isHidden());
  window.command("runAgain")->trigger();
  QTRY_VERIFY(!offer->isHidden());
}

void tst_window_use::aPresentationSaysThatARunIsPaused() {
  TinyWindow tiny(4);
  MainWindow& window = tiny.window;
  window.show();
  window.command("step")->trigger();
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Paused);
  window.command("present")->trigger();
  auto* hint = window.findChild<QLabel*>(QStringLiteral("presentationHint"));
  hint->resize(2000, hint->height());  // room for all keys
  window.setPrompt(QStringLiteral("Another prompt."));
  QVERIFY2(hint->text().contains(QStringLiteral("F5 resumes the run")),
           qPrintable(hint->text()));
  window.run();
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QTRY_VERIFY(!hint->text().contains(QStringLiteral("resumes")));
  window.command("present")->trigger();
}

void tst_window_use::namesTheSettingsThatHaveNoField() {
  TinyWindow tiny(4);
  tiny.engine.shape.computesFloat32 = true;
  tiny.window.openRuns({QStringLiteral("elsewhere.eqrun")});
  QTRY_VERIFY(!tiny.window.model().empty() &&
              tiny.window.controller().phase() == RunController::Phase::Idle);
  tiny.window.command("useSettings")->trigger();
  QCOMPARE(tiny.window.findChild<MessageBar*>()->text(),
           QStringLiteral("A new run is computed without this run's computation in "
                          "float32, which only the command line sets."));
}

void tst_window_use::aRunClickedWhileAnotherIsReadIsShownNext() {
  TinyWindow tiny(4);
  MainWindow& window = tiny.window;
  tiny.run();
  for (const int runs : {2, 3}) {
    window.run();
    QTRY_VERIFY(window.runs().count() == runs &&
                window.controller().phase() == RunController::Phase::Idle);
  }
  auto* panel = window.findChild<RunsPanel*>();
  Q_EMIT panel->displayRequested(0);
  QCOMPARE(window.controller().phase(), RunController::Phase::Loading);
  Q_EMIT panel->displayRequested(1);
  QTRY_VERIFY(window.runs().current() == 1 &&
              window.controller().phase() == RunController::Phase::Idle);
  QVERIFY(window.findChild<MessageBar*>()->text().isEmpty());
}

void tst_window_use::aFinishedRunAppearsAmongEarlierRuns() {
  TinyWindow tiny(4);
  tiny.window.command("earlierRuns")->trigger();
  const auto* runs = tiny.window.findChild<QTreeWidget*>(QStringLiteral("earlierTree"));
  const int before = runs->topLevelItemCount();
  tiny.run();
  QTRY_COMPARE(runs->topLevelItemCount(), before + 1);
}

void tst_window_use::aTrashedRunCannotBeSavedOrContinued() {
  TinyWindow tiny(4);
  tiny.window.command("step")->trigger();
  QTRY_COMPARE(tiny.window.controller().phase(), RunController::Phase::Paused);
  tiny.window.command("stop")->trigger();
  QTRY_COMPARE(tiny.window.controller().phase(), RunController::Phase::Idle);
  const QAction* saving = tiny.window.command("saveRun");
  const QAction* exporting = tiny.window.command("exportData");
  const QAction* continuing = tiny.window.command("continueRun");
  QVERIFY(saving->isEnabled() && exporting->isEnabled() && continuing->isEnabled());
  tiny.window.command("earlierRuns")->trigger();
  std::filesystem::remove(tiny.window.controller().file());
  Q_EMIT tiny.window.findChild<EarlierRunsDialog*>()->removed();
  QVERIFY(!saving->isEnabled() && !exporting->isEnabled() && !continuing->isEnabled());
}

/// The style's icons are black even in the dark theme.
void tst_window_use::buttonsOfDialogsHaveNoIcons() {
  QApplication::setStyle(new IconStyle);
  const auto restore =
      qScopeGuard([] { QApplication::setStyle(QStringLiteral("Fusion")); });
  TinyWindow tiny(2);
  tiny.run();
  for (const char* command :
       {"exportFigure", "exportData", "earlierRuns", "help", "getModel"})
    tiny.window.command(command)->trigger();
  int buttons = 0;
  for (const auto* box : tiny.window.findChildren<QDialogButtonBox*>())
    for (const QAbstractButton* button : box->buttons()) {
      QVERIFY2(button->icon().isNull(), qPrintable(box->window()->windowTitle()));
      ++buttons;
    }
  QVERIFY(buttons >= 5);
}

/// On a small screen, with a loaded model.
void tst_window_use::methodAndStepsNeedNoScrolling() {
  TinyWindow tiny(2);
  tiny.window.resize(1272, 680);
  tiny.window.show();
  tiny.run();
  const auto* panel = tiny.window.findChild<ModelPanel*>();
  QVERIFY(panel->findChild<RunOptions*>());
  for (const char* name : {"dtype", "method", "loop", "application", "steps"}) {
    const auto* field = panel->findChild<QWidget*>(QString::fromLatin1(name));
    QTRY_COMPARE(field->visibleRegion().boundingRect(), field->rect());
  }
}

EQUIPATCH_TEST(tst_window_use)
#include "tst_window_use.moc"
