// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextEdit>
#include <QWheelEvent>

#include "tests/support/test_case.h"
#include "tests/ui/support/drop_files.h"
#include "tests/ui/support/models.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/chart/layer_charts.h"
#include "ui/inspect/strength_panel.h"
#include "ui/lab/lab_window.h"
#include "ui/window/main_window.h"

using namespace equipatch;

namespace {

/// @param by in eighths of a degree
void turnWheel(QWidget& widget, int by) {
  const QPointF middle = QRectF(widget.rect()).center();
  QWheelEvent event(middle, widget.mapToGlobal(middle), QPoint(), QPoint(0, by),
                    Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}

}  // namespace

class tst_main_window : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void hasSevenDocks();
  void namesTheModelInItsTitle();
  void aRunWithoutAChosenModelIsRefused();
  void nothingIsOpenedWhileAModelIsLoaded();
  void aRunDroppedOnTheWindowWaitsForTheOneBeingRead();
  void theLastRunsOpenWithTheSameOneOnDisplay();
  void keepsThePromptOverARestart();
  void keepsThePromptFormOverARestart();
  void settingsOfTheLastRunSurviveAKill();
  void listsModelsAfterTheFirstPaint();
  void listsModelsWithoutBeingPainted();
  void hiddenTablesAndDialogsAreNotCreated();
  void confirmsLoadingWhenMemoryIsShort();
  void aChatShowsItsTokens();
  void chartsSayThatAPromptIsPrepared();
  void compareAndCloseDependOnTheListOfRuns();
  void everyControlHasAName();
  void theWheelChangesOnlyTheSettingWithTheFocus();
  void chartsInAScrolledPanelScrollWithIt();
};

void tst_main_window::hasSevenDocks() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  const MainWindow window(engine);
  QCOMPARE(window.findChildren<QDockWidget*>().size(), 7);
}

void tst_main_window::namesTheModelInItsTitle() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.setFolder(QStringLiteral("/models/tiny"));
  window.loadChosenModel();
  QTRY_COMPARE(window.windowTitle(), QStringLiteral("tiny – Equipatch"));
}

void tst_main_window::aRunWithoutAChosenModelIsRefused() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.run();
  QTRY_VERIFY(window.messages().text().contains(QStringLiteral("No model is chosen")));
  QCOMPARE(engine.loads(), 0);
}

void tst_main_window::nothingIsOpenedWhileAModelIsLoaded() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  const QString folder = QStringLiteral("/models/dropped");
  test::dropFiles(window, {folder});
  QCOMPARE(window.controller().phase(), RunController::Phase::Loading);
  test::dropFiles(window, {folder});
  QVERIFY(window.messages().text().startsWith(QStringLiteral("A model is being loaded")));
  QTRY_VERIFY(window.controller().loaded());
  QCOMPARE(engine.loads(), 1);
}

void tst_main_window::aRunDroppedOnTheWindowWaitsForTheOneBeingRead() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.openRuns({QStringLiteral("/runs/first.eqrun")});
  QCOMPARE(window.controller().phase(), RunController::Phase::Loading);
  test::dropFiles(window, {QStringLiteral("/runs/second.eqrun")});
  QVERIFY(window.messages().text().isEmpty());
  QTRY_COMPARE(window.runs().count(), 2);
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
}

/// Each opened run is on display until the next one is opened.
void tst_main_window::theLastRunsOpenWithTheSameOneOnDisplay() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  const QTemporaryDir folder;
  QStringList files;
  for (const char* name : {"a.eqrun", "b.eqrun", "c.eqrun"}) {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    files << file.fileName();
  }
  {
    MainWindow window(engine);
    window.openRuns(files);
    QTRY_COMPARE(window.runs().count(), 3);
    QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
    Q_EMIT window.findChild<RunsPanel*>()->displayRequested(1);
    QTRY_COMPARE(window.runs().current(), 1);
    QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
    window.close();
  }
  MainWindow window(engine);
  window.findChild<QPushButton*>(QStringLiteral("openLastRuns"))->click();
  QTRY_COMPARE(window.runs().count(), 3);
  QTRY_COMPARE(window.runs().current(), 1);
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QCOMPARE(window.controller().file().string(), files[1].toStdString());
}

void tst_main_window::keepsThePromptOverARestart() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  const QString prompt = QStringLiteral("You will rejoice\nto hear");
  {
    MainWindow window(engine);
    window.setPrompt(prompt);
    window.close();
  }
  const MainWindow window(engine);
  QCOMPARE(window.findChild<QTextEdit*>(QStringLiteral("prompt"))->toPlainText(), prompt);
}

void tst_main_window::keepsThePromptFormOverARestart() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  engine.hasChat = true;
  {
    MainWindow window(engine);
    window.setFolder(QStringLiteral("/models/tiny"));
    window.loadChosenModel();
    auto* chat = window.findChild<QRadioButton*>(QStringLiteral("chat"));
    QTRY_VERIFY(chat->isEnabled());
    chat->click();
    window.close();
  }
  MainWindow window(engine);
  const auto* chat = window.findChild<QRadioButton*>(QStringLiteral("chat"));
  QVERIFY(!chat->isChecked());  // no model is loaded yet
  window.setFolder(QStringLiteral("/models/tiny"));
  window.loadChosenModel();
  QTRY_VERIFY(chat->isChecked());
}

namespace {

/// Notes how many lists of models had been requested at the window's first painting.
class PaintWatch final : public QObject {
 public:
  explicit PaintWatch(const test::SyntheticEngine& engine) : m_engine(engine) {}

  int listsAtFirstPaint = -1;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint && listsAtFirstPaint < 0)
      listsAtFirstPaint = m_engine.lists();
    return false;
  }

 private:
  const test::SyntheticEngine& m_engine;
};

}  // namespace

void tst_main_window::settingsOfTheLastRunSurviveAKill() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow killed(engine);  // never closed; closing would save everything
  killed.setFolder(QStringLiteral("relative/model"));
  killed.setSteps(3);
  auto* prompt = killed.findChild<PromptEditor*>();
  prompt->setForm(PromptForm::Ids);
  prompt->setText(QStringLiteral("1 2 3"));
  killed.run();
  QTRY_COMPARE(killed.model().stepCount(), 3);
  MainWindow later(engine);
  const auto* kept = later.findChild<PromptEditor*>();
  QCOMPARE(kept->text(), QStringLiteral("1 2 3"));
  QCOMPARE(int(kept->form()), int(PromptForm::Ids));
  later.setPrompt(QStringLiteral("Once upon a time"));  // as --prompt does
  QCOMPARE(int(kept->form()), int(PromptForm::Text));
  const auto* model = later.findChild<ModelPanel*>();
  QCOMPARE(model->folder(), QStringLiteral("relative/model"));
  QCOMPARE(later.findChild<QSpinBox*>(QStringLiteral("steps"))->value(), 3);
}

void tst_main_window::listsModelsAfterTheFirstPaint() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  engine.models = test::someModels();
  MainWindow window(engine);
  PaintWatch watch(engine);
  window.installEventFilter(&watch);
  QSignalSpy opened(&window, &MainWindow::opened);
  window.show();
  QTRY_COMPARE(opened.count(), 1);
  QCOMPARE(watch.listsAtFirstPaint, 0);
  QCOMPARE(engine.lists(), 1);
  const auto* picker = window.findChild<QComboBox*>(QStringLiteral("modelFolder"));
  QTRY_COMPARE(picker->count(), 6);
  window.repaint();
  QCoreApplication::processEvents();
  QCOMPARE(opened.count(), 1);
}

void tst_main_window::listsModelsWithoutBeingPainted() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  engine.models = test::someModels();
  const MainWindow window(engine);
  const auto* picker = window.findChild<QComboBox*>(QStringLiteral("modelFolder"));
  QTRY_COMPARE(picker->count(), 6);
}

void tst_main_window::hiddenTablesAndDialogsAreNotCreated() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  const MainWindow window(engine);
  QVERIFY(window.findChildren<QDialog*>().isEmpty());
  QVERIFY(!window.findChild<LabWindow*>());
  QCOMPARE(window.findChildren<QTableView*>().size(), 2);  // for the step and the runs
}

void tst_main_window::confirmsLoadingWhenMemoryIsShort() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  engine.shortage = std::make_shared<const MemoryShortage>(
      MemoryShortage{.model = "big",
                     .need = {.dtype = DType::F32},
                     .fitting = {{.dtype = DType::BF16}},
                     .sentence = "big needs much"});
  MainWindow window(engine);
  window.show();
  window.setFolder(QStringLiteral("/models/big"));
  window.loadChosenModel();
  QMessageBox* box = nullptr;
  QTRY_VERIFY((box = window.findChild<QMessageBox*>(QStringLiteral("shortageDialog"))));
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QVERIFY(!window.controller().loaded());
  for (auto* button : box->buttons())
    if (button->text().contains(QStringLiteral("bfloat16"))) button->click();
  QTRY_VERIFY(window.controller().loaded());
  QVERIFY(window.controller().loaded()->dtype == DType::BF16);
  QCOMPARE(engine.loads(), 2);
}

void tst_main_window::aChatShowsItsTokens() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  engine.hasChat = true;
  MainWindow window(engine);
  window.setPrompt(QStringLiteral("Hello"));
  window.setFolder(QStringLiteral("/models/tiny"));
  window.loadChosenModel();
  auto* chat = window.findChild<QRadioButton*>(QStringLiteral("chat"));
  QTRY_VERIFY(chat->isEnabled());
  chat->click();
  const auto* written = window.findChild<QTextEdit*>(QStringLiteral("renderedChat"));
  QTRY_COMPARE(written->toPlainText(), QStringLiteral("<user> Hello <model> "));
  const auto* ids = window.findChild<QLineEdit*>(QStringLiteral("promptIds"));
  QCOMPARE(ids->text(), QStringLiteral("7 6 8"));
}

/// A separate job renders the chat template. Meanwhile the phase is Loading, although the
/// model has been loaded already.
void tst_main_window::chartsSayThatAPromptIsPrepared() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  engine.hasChat = true;
  MainWindow window(engine);
  window.setFolder(QStringLiteral("/models/tiny"));
  window.loadChosenModel();
  auto* chat = window.findChild<QRadioButton*>(QStringLiteral("chat"));
  QTRY_VERIFY(chat->isEnabled());
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QVERIFY(window.controller().loaded());
  chat->click();
  window.setPrompt(QStringLiteral("Hello again"));
  window.run();
  QCOMPARE(window.controller().phase(), RunController::Phase::Loading);
  const auto* empty = window.charts().findChild<QLabel*>(QStringLiteral("chartEmpty"));
  QVERIFY(empty);
  QVERIFY2(empty->text().endsWith(QStringLiteral("Preparing the prompt…")),
           qPrintable(empty->text()));
}

void tst_main_window::compareAndCloseDependOnTheListOfRuns() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.setFolder(QStringLiteral("/models/tiny"));
  window.setSteps(4);
  const QAction* compare = window.command("compareSteps");
  QAction* close = window.command("closeRun");
  QVERIFY(!compare->isEnabled() && !close->isEnabled());
  window.run();
  QTRY_VERIFY(close->isEnabled() && window.command("run")->isEnabled());
  QVERIFY(!compare->isEnabled());
  window.run();
  QTRY_VERIFY(compare->isEnabled());
  QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  QVERIFY(!window.command("reopenRun")->isEnabled());
  close->trigger();
  QVERIFY(window.command("reopenRun")->isEnabled() && !compare->isEnabled());
}

void tst_main_window::everyControlHasAName() {
  const test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  const MainWindow window(engine);
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    const bool ours = !widget->objectName().isEmpty() &&
                      !widget->objectName().startsWith(QStringLiteral("qt_"));
    if (!ours || widget->focusPolicy() == Qt::NoFocus || !widget->isEnabled()) continue;
    const bool named = !widget->accessibleName().isEmpty() ||
                       qobject_cast<const QAbstractButton*>(widget) ||
                       qobject_cast<const QLabel*>(widget);
    QVERIFY2(named, qPrintable(widget->objectName()));
  }
}

void tst_main_window::theWheelChangesOnlyTheSettingWithTheFocus() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  auto* steps = window.findChild<QSpinBox*>(QStringLiteral("steps"));
  QVERIFY(steps);
  const int before = steps->value();
  turnWheel(*steps, -120);
  QCOMPARE(steps->value(), before);
  QVERIFY(!steps->hasFocus());
  steps->setFocus();
  turnWheel(*steps, -120);
  QCOMPARE(steps->value(), before - 1);
}

/// The strength chart is in the step panel, which the wheel scrolls.
void tst_main_window::chartsInAScrolledPanelScrollWithIt() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  MainWindow window(engine);
  window.show();
  auto* scrolled = window.findChild<StrengthChart*>();
  auto* middle = window.findChild<NormChart*>();
  for (ChartView* chart :
       {static_cast<ChartView*>(scrolled), static_cast<ChartView*>(middle)})
    turnWheel(chart->plot(), 120);
  QVERIFY(scrolled->isFitted());
  QVERIFY(!middle->isFitted());
  QTest::keyClick(scrolled, Qt::Key_Plus);
  QVERIFY(!scrolled->isFitted());
  window.command("resetZoom")->trigger();
  QVERIFY(scrolled->isFitted() && middle->isFitted());
}

EQUIPATCH_TEST(tst_main_window)
#include "tst_main_window.moc"
