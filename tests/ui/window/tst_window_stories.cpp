// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>

#include "core/record/context_effect.h"
#include "core/record/file/run_labels.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/models.h"
#include "tests/ui/support/tiny_window.h"
#include "ui/export/figure_dialog.h"
#include "ui/model/block_view.h"

using namespace equipatch;
using equipatch::test::TinyWindow;

/// What a user does in the whole window, in several steps.
class tst_window_stories : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aRunWaitsForTheListOfModels();
  void thePresentationRunsThePrompt();
  void aPresentationRunsAChangedPromptAfterTheRun();
  void theTitleNamesTheRunOnDisplay();
  void theExportOfEachChartHasAPreview();
  void aChartIsCopiedAsItIsExported();
  void anEndedRunSelectsItsMostContextualStep();
  void explanationsAreShownUntilSwitchedOff();
  void runningAgainEndsTheGrid();
  void theBlockShowsTheSelectedStepsPatch();
  void textPanelShowsTheRunAndTheBareModelsText();
  void textPanelIsUpdatedDuringAFastRun();
  void aRunOpenedFromTheMenuHasItsName();
  void openingTheInterruptedRunStopsNoJob();
};

void tst_window_stories::aRunWaitsForTheListOfModels() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  engine.models = test::someModels();
  engine.models.models.front().entry.name = "bundled";
  engine.models.models.front().origin = ModelOrigin::Bundled;
  MainWindow window(engine);
  window.setSteps(2);
  window.run();  // as `equipatch --run` does, before anything is listed
  QVERIFY(window.messages().text().isEmpty());
  window.show();
  QTRY_COMPARE(window.model().stepCount(), 2);
  QVERIFY(window.messages().text().isEmpty());
}

void tst_window_stories::thePresentationRunsThePrompt() {
  TinyWindow tiny(3);
  MainWindow& window = tiny.window;
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  window.command("present")->trigger();
  QTest::keyClick(&window, Qt::Key_F5);
  QTRY_COMPARE(window.model().stepCount(), 3);
  QTest::keyClick(&window, Qt::Key_Escape);
  QVERIFY(!window.command("present")->isChecked());
}

void tst_window_stories::aPresentationRunsAChangedPromptAfterTheRun() {
  TinyWindow tiny(100000);
  MainWindow& window = tiny.window;
  QSignalSpy asked(window.findChild<Presentation*>(), &Presentation::runRequested);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  window.command("present")->trigger();
  QTest::keyClick(&window, Qt::Key_F5);
  QTRY_VERIFY(window.model().stepCount() > 2);
  QCOMPARE(asked.count(), 1);
  window.setPrompt(QStringLiteral("Another"));
  QTest::keyClick(&window, Qt::Key_F5);
  QTest::keyClick(&window, Qt::Key_F5);  // stops playing the steps
  QCOMPARE(asked.count(), 1);
  window.command("stop")->trigger();
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  window.setSteps(2);
  QTest::keyClick(&window, Qt::Key_F5);
  QCOMPARE(asked.count(), 2);
  QTRY_COMPARE(window.model().stepCount(), 2);
  QTest::keyClick(&window, Qt::Key_Escape);
}

void tst_window_stories::theTitleNamesTheRunOnDisplay() {
  TinyWindow tiny(1);
  MainWindow& window = tiny.window;
  tiny.run();
  const QString title = window.windowTitle();
  window.setFolder(QStringLiteral("/models/another"));
  window.loadChosenModel();
  QTRY_VERIFY(window.controller().loaded() &&
              window.controller().loaded()->name == "another");
  QCOMPARE(window.windowTitle(), title);
}

void tst_window_stories::aChartIsCopiedAsItIsExported() {
  TinyWindow tiny(3);
  MainWindow& window = tiny.window;
  tiny.run();
  int charts = 0;
  for (ChartView* chart : window.findChildren<ChartView*>()) {
    if (!chart->isDataVisible()) continue;
    ++charts;
    Q_EMIT chart->copyRequested();
    const QImage copied = QGuiApplication::clipboard()->image();
    const QByteArray drawing =
        QGuiApplication::clipboard()->mimeData()->data(QStringLiteral("image/svg+xml"));
    QCOMPARE(copied.dotsPerMeterX(), qRound(FigureStyle().dpi / 0.0254));
    QCOMPARE(copied.pixelColor(0, 0), QColor(Qt::white));
    QVERIFY(drawing.contains("<svg"));
    Q_EMIT chart->exportRequested();
    auto* dialog = window.findChild<ChartDialog*>();
    QVERIFY(dialog);
    dialog->copy();
    QCOMPARE(QGuiApplication::clipboard()->image(), copied);
    delete dialog;
  }
  QVERIFY(charts >= 4);  // at least the charts in the middle
}

void tst_window_stories::theExportOfEachChartHasAPreview() {
  TinyWindow tiny(3);
  MainWindow& window = tiny.window;
  tiny.run();
  int charts = 0;
  for (ChartView* chart : window.findChildren<ChartView*>()) {
    if (!chart->isDataVisible()) continue;
    ++charts;
    Q_EMIT chart->exportRequested();
    auto* dialog = window.findChild<ChartDialog*>();
    QVERIFY(dialog);
    QTRY_VERIFY2(!dialog->preview()->image().isNull(), qPrintable(chart->title()));
    delete dialog;
  }
  QVERIFY(charts >= 4);  // at least the charts in the middle
}

void tst_window_stories::anEndedRunSelectsItsMostContextualStep() {
  TinyWindow tiny(9);
  MainWindow& window = tiny.window;
  window.run();
  QTRY_COMPARE(window.model().stepCount(), 9);
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  const auto telling = mostContextualStep(window.model().records());
  QVERIFY(telling);
  QCOMPARE(window.selection().step(), int(*telling));
  QVERIFY(!window.selection().isFollowing());
  // A step that the user chose during the run stays selected.
  window.setSteps(100000);
  window.run();
  QTRY_VERIFY(window.model().stepCount() > 20 &&
              window.controller().phase() == RunController::Phase::Running);
  QVERIFY(window.selection().isFollowing());
  window.selection().selectStep(3);
  window.command("stop")->trigger();
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QCOMPARE(window.selection().step(), 3);
}

void tst_window_stories::textPanelShowsTheRunAndTheBareModelsText() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.setFolder(QStringLiteral("/models/synthetic"));
  window.setPrompt(QStringLiteral("Once upon a time"));
  window.setSteps(5);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  window.run();
  QTRY_COMPARE(window.model().stepCount(), 5);
  auto* dock = window.findChild<QDockWidget*>(QStringLiteral("textDock"));
  QVERIFY(dock);
  dock->raise();
  const auto* panel = window.findChild<TextPanel*>();
  const auto text = [panel] { return panel->browser()->toPlainText(); };
  QTRY_VERIFY(
      text().contains(QStringLiteral("has the same most likely token in 5 of 5 steps")));
  for (int i = 0; i < 5; ++i)
    QVERIFY(text().contains(QString::fromStdString(window.model().step(i).tokenText)));
  QTRY_VERIFY(panel->bareButton()->isEnabled());
  Q_EMIT panel->browser()->anchorClicked(QUrl(QStringLiteral("2")));
  QCOMPARE(window.selection().step(), 2);
  QTest::keyClick(panel->browser(), Qt::Key_Right);
  QCOMPARE(window.selection().step(), 3);
  QTest::keyClick(panel->browser(), Qt::Key_Left);
  QCOMPARE(window.selection().step(), 2);
  panel->browser()->setFocus();
  QTest::keyClick(panel->browser(), Qt::Key_Tab);  // tokens are no tab stops
  QCOMPARE(window.focusWidget(), panel->bareButton());
  const int runs = engine.runs();
  const QSignalSpy written(window.findChild<BareText*>(), &BareText::written);
  panel->bareButton()->click();
  QTRY_COMPARE(engine.runs(), runs + 1);
  QCOMPARE(engine.lastRequest().prompt.size(), std::size_t(1));
  QTRY_COMPARE(written.size(), 5);
  QTRY_VERIFY(text().contains(QStringLiteral("Without either\n") +
                              QString::fromStdString(window.model().step(0).tokenText)));
  QCOMPARE(window.model().stepCount(), 5);
  // If a run keeps a part of the context, the panel says why the text generated from this
  // part alone differs from the bare pass's text.
  window.findChild<PromptEditor*>()->setAbsorbed("prompt");
  window.run();
  QTRY_VERIFY(window.model().stepCount() == 5 && panel->bareButton()->isEnabled());
  QTRY_VERIFY(text().contains(QStringLiteral("From the kept part alone")));
  QVERIFY(!text().contains(QStringLiteral("hold some of it")));
  panel->bareButton()->click();
  QTRY_VERIFY(text().contains(QStringLiteral("hold some of it")));
  // A run that is being stopped can no longer be paused.
  window.setSteps(100000);
  window.run();
  QTRY_VERIFY(window.model().stepCount() > 5);
  QCOMPARE(panel->bareButton()->toolTip(), QStringLiteral("Pause the run first"));
  window.command("stop")->trigger();
  QCOMPARE(panel->bareButton()->toolTip(), QStringLiteral("Wait for the stop first"));
}

void tst_window_stories::explanationsAreShownUntilSwitchedOff() {
  const test::QuietPlatform quiet;
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.setFolder(QStringLiteral("/models/tiny"));
  window.setSteps(5);
  window.resize(1280, 900);
  window.show();
  window.run();
  QTRY_VERIFY(
      window.line().sentence().startsWith(QStringLiteral("5 of 5 tokens agree;")));
  const auto* chart = window.charts().chart<LogitChart>();
  const auto* words = chart->findChild<QLabel*>(QStringLiteral("chartSentence"));
  QVERIFY(!words->isHidden() && window.command("explain")->isChecked());
  window.command("explain")->trigger();
  QVERIFY(words->isHidden() && !window.command("explain")->isChecked());
  QVERIFY(window.line().isHidden());
  const MainWindow next(engine);
  QVERIFY(!next.command("explain")->isChecked());
}

void tst_window_stories::runningAgainEndsTheGrid() {
  TinyWindow tiny(2);
  MainWindow& window = tiny.window;
  tiny.run();
  constexpr int kSteps = 50'000;  // enough to pause the grid before it ends
  window.setSteps(kSteps);
  window.command("runGrid")->trigger();
  QTRY_VERIFY(window.controller().phase() == RunController::Phase::Running &&
              window.model().stepCount() > 3);
  window.command("pause")->trigger();
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Paused);
  const int runs = tiny.engine.runs();
  window.command("runAgain")->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window.model().stepCount(), kSteps, 60'000);
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QCOMPARE(tiny.engine.runs(), runs + 1);
}

void tst_window_stories::theBlockShowsTheSelectedStepsPatch() {
  TinyWindow tiny(6);
  MainWindow& window = tiny.window;
  window.show();
  tiny.run();
  const auto* view = window.findChild<BlockView*>();
  const auto filled = [view] {
    std::vector<double> shares;
    for (const BlockView::Box& box : view->boxes())
      if (box.patched) shares.push_back(box.share);
    return shares;
  };
  window.selection().selectStep(0);
  window.selection().selectLayer(1);
  const auto before = filled();
  QCOMPARE(before.size(), std::size_t(3));  // gate and up, down, the scale
  for (const double share : before) QVERIFY(share > 0.0 && share <= 1.0);
  QCOMPARE(view->heading(), QStringLiteral("Step 0, layer 1"));
  window.selection().selectStep(3);
  QVERIFY(filled() != before);
  double largest = 0.0;
  for (int step = 0; step < 6; ++step)
    for (int layer = 0; layer < tiny.engine.shape.layers; ++layer) {
      window.selection().selectStep(step);
      window.selection().selectLayer(layer);
      largest = std::max(largest, filled()[1]);
    }
  QCOMPARE(largest, 1.0);
  QVERIFY(window.findChild<BlockPanel*>()->reasons().contains(
      QStringLiteral("Load the run's own model")));
  window.setFolder(QStringLiteral("/models/synthetic"));
  window.loadChosenModel();
  QTRY_VERIFY(window.findChild<BlockPanel*>()->reasons().contains(
      QStringLiteral("The context reaches the block")));
}

/// Each new step comes before the panel's timer runs out.
void tst_window_stories::textPanelIsUpdatedDuringAFastRun() {
  const test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  const Theme theme;
  RunModel model;
  Selection selection;
  SharedWorker worker;
  const RunController controller(engine, model, worker);
  BareText bare(engine);
  TextPanel panel({model, selection, controller, bare, theme});
  panel.show();
  model.begin(test::makeHeader());
  QTimer steps;
  connect(&steps, &QTimer::timeout, &model,
          [&model] { model.append({test::makeRecord(model.stepCount())}); });
  steps.start(10);
  QTRY_VERIFY(panel.browser()->toPlainText().contains(
      QStringLiteral("has the same most likely token in")));
}

void tst_window_stories::aRunOpenedFromTheMenuHasItsName() {
  TinyWindow tiny(1);
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("named.eqrun"));
  test::recordRun(*test::makeHeader(), {}, file.toStdString());
  saveLabels(file.toStdString(), {.name = "for the paper", .notes = {}, .tags = {}});
  QTimer answer;  // the command blocks until its dialog is closed
  connect(&answer, &QTimer::timeout, this, [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (!dialog) return;
    answer.stop();
    dialog->selectFile(file);
    static_cast<QDialog*>(dialog)->accept();
  });
  answer.start(10);
  tiny.window.command("openRun")->trigger();
  QTRY_COMPARE(tiny.window.runs().count(), 1);
  QTRY_COMPARE(tiny.window.runs().at(0).ownName, QStringLiteral("for the paper"));
  QTRY_COMPARE(tiny.window.controller().phase(), RunController::Phase::Idle);
}

/// The question stays open while `equipatch --run` loads the model and computes.
void tst_window_stories::openingTheInterruptedRunStopsNoJob() {
  TinyWindow tiny(100000);
  MainWindow& window = tiny.window;
  window.show();
  const RunStore store;
  const QString path = store.newFile(QStringLiteral("half"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("half a run") > 0);
  file.close();
  store.beginRecording(path);
  window.askAboutStoredRuns();
  const auto* box = window.findChild<QMessageBox*>(QStringLiteral("interruptedQuestion"));
  QVERIFY(box);
  window.run();
  QTRY_VERIFY(window.model().stepCount() > 2);
  const auto buttons = box->buttons();
  const auto opening = std::ranges::find_if(buttons, [](const QAbstractButton* button) {
    return button->text().contains(QStringLiteral("Open it"));
  });
  QVERIFY(opening != buttons.end());
  (*opening)->click();
  QVERIFY(tiny.engine.lastOpened().empty());
  QCOMPARE(window.controller().phase(), RunController::Phase::Running);
  QVERIFY(
      window.messages().text().contains(QStringLiteral("stop it, then open the run")));
  QCOMPARE(store.interrupted(), path);  // the next start offers the file
}

EQUIPATCH_TEST(tst_window_stories)
#include "tst_window_stories.moc"
