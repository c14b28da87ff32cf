// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/presentation.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QScreen>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_case.h"
#include "tests/ui/support/application_font.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/window/tab_order.h"

using namespace equipatch;

namespace {

struct PresentationFixture {
  test::QuietPlatform quiet;
  QMainWindow window;
  Selection selection;
  QMenuBar* menu = window.menuBar();
  QDockWidget* dock = new QDockWidget(&window);
  Presentation* presentation = nullptr;

  PresentationFixture() {
    menu->addMenu(QStringLiteral("File"));
    window.setCentralWidget(new QLabel(QStringLiteral("text"), &window));
    presentation = new Presentation(window, selection, {menu});
    dock->setObjectName(QStringLiteral("dock"));
    window.addDockWidget(Qt::RightDockWidgetArea, dock);
    selection.setStepCount(5);
    selection.selectStep(2);
    window.show();
    static_cast<void>(QTest::qWaitForWindowActive(&window));
  }
  ~PresentationFixture() {
    presentation->setOn(false);
  }  // restores the application's font
};

}  // namespace

class tst_presentation : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void showsLargeTypeWithoutChrome();
  void typeGrowsWithTheScreen();
  void arrowsSelectStepsAfterTextWasEdited();
  void escapeRestoresTheWindow();
  void keysWalkTheStepsOnlyInAPresentation();
  void playsToTheLastStep();
  void playingBeginsAnewAtTheEnd();
  void keysAreNamedBelowTheContent();
  void f5RequestsARunWhenThereAreNoSteps();
  void pageKeysChangeTheStepOrLessonPage();
  void theBlankScreenIsLeftByAnyKey();
  void aRingFollowsThePointer();
  void f5RunsAChangedPrompt();
  void docksThatARestoredLayoutHidesStayHidden();
  void hidingThePromptShowsTheDockThatWasInFront();
  void aLayoutRestoredAtAPresentationsEndStays();
};

/// For example, a lesson ends right after its presentation, while the window is still
/// returning to its former size.
void tst_presentation::aLayoutRestoredAtAPresentationsEndStays() {
  PresentationFixture f;
  f.dock->hide();
  const QByteArray layout = f.window.saveState();
  f.dock->show();
  f.presentation->setOn(true);
  f.presentation->setOn(false);
  f.presentation->restoreLayout(layout);
  bool isOver = false;  // set after the call that setOn(false) has queued
  QTimer::singleShot(0, &f.window, [&isOver] { isOver = true; });
  QTRY_VERIFY(isOver);
  QVERIFY(f.dock->isHidden());
}

/// A presentation removes the dock titles, so a dock's content may cover the whole dock.
/// The dock's visible region is then empty, although the dock is in front.
void tst_presentation::hidingThePromptShowsTheDockThatWasInFront() {
  PresentationFixture f;
  auto* prompt = new QDockWidget(&f.window);
  prompt->setObjectName(QStringLiteral("promptDock"));
  f.window.addDockWidget(Qt::RightDockWidgetArea, prompt);
  prompt->hide();
  auto* front = new QDockWidget(&f.window);
  front->setObjectName(QStringLiteral("front"));
  auto* content = new QScrollArea;
  content->setFrameShape(QFrame::NoFrame);
  front->setWidget(content);
  f.window.addDockWidget(Qt::RightDockWidgetArea, front);
  front->show();
  f.window.tabifyDockWidget(f.dock, front);
  f.dock->raise();
  front->raise();
  const auto isInFront = [&] { return isBehindTab(*f.dock) && !isBehindTab(*front); };
  f.presentation->setOn(true);
  QTRY_VERIFY(isInFront() && front->visibleRegion().isEmpty());
  f.presentation->togglePrompt();
  QVERIFY(front->isHidden() && f.dock->isHidden());
  QTRY_VERIFY(!prompt->visibleRegion().isEmpty());
  f.presentation->togglePrompt();
  QVERIFY(prompt->isHidden());
  QTRY_VERIFY(isInFront());
}

/// For example, a lesson ends that began with the prompt beside the charts.
void tst_presentation::docksThatARestoredLayoutHidesStayHidden() {
  PresentationFixture f;
  auto* prompt = new QDockWidget(&f.window);
  prompt->setObjectName(QStringLiteral("promptDock"));
  f.window.addDockWidget(Qt::RightDockWidgetArea, prompt);
  prompt->show();
  f.dock->hide();
  const QByteArray layout = f.window.saveState();
  prompt->hide();
  f.dock->show();
  f.presentation->setOn(true);
  f.presentation->togglePrompt();
  QVERIFY(f.dock->isHidden());
  f.presentation->restoreLayout(layout);
  QTRY_VERIFY(!prompt->visibleRegion().isEmpty());
  f.presentation->togglePrompt();
  QVERIFY(prompt->isHidden());
  QVERIFY(f.dock->isHidden());
}

void tst_presentation::pageKeysChangeTheStepOrLessonPage() {
  QList<int> turned;  // outlives the fixture, whose destructor calls the lesson
  PresentationFixture f;
  f.presentation->setOn(true);
  QTest::keyClick(&f.window, Qt::Key_PageDown);
  QCOMPARE(f.selection.step(), 3);
  QTest::keyClick(&f.window, Qt::Key_PageUp);
  QCOMPARE(f.selection.step(), 2);
  f.presentation->setLesson([&](int by) {
    turned << by;
    return true;
  });
  QTest::keyClick(&f.window, Qt::Key_PageDown);
  QTest::keyClick(&f.window, Qt::Key_PageUp);
  QCOMPARE(turned, (QList<int>{1, -1}));
  QCOMPARE(f.selection.step(), 2);
  QTest::keyClick(&f.window, Qt::Key_F5, Qt::ShiftModifier);
  QVERIFY(f.presentation->isPlaying());
  QTest::keyClick(&f.window, Qt::Key_F5);
  QVERIFY(!f.presentation->isPlaying());
}

void tst_presentation::theBlankScreenIsLeftByAnyKey() {
  PresentationFixture f;
  f.presentation->setOn(true);
  for (const Qt::Key key : {Qt::Key_B, Qt::Key_Period}) {
    QTest::keyClick(&f.window, key);
    QVERIFY(f.presentation->isBlank());
    const QImage picture = f.window.grab().toImage();
    QCOMPARE(picture.pixelColor(picture.rect().center()), QColor(Qt::black));
    QCOMPARE(picture.pixelColor(2, 2), QColor(Qt::black));
    QTest::keyClick(&f.window, key);
    QVERIFY(!f.presentation->isBlank());
  }
  const int step = f.selection.step();
  QTest::keyClick(&f.window, Qt::Key_B);
  QTest::keyClick(&f.window, Qt::Key_PageDown);
  QVERIFY(!f.presentation->isBlank());
  QCOMPARE(f.selection.step(), step);
  QTest::keyClick(&f.window, Qt::Key_B);
  f.presentation->setOn(false);
  QVERIFY(!f.presentation->isBlank());
}

void tst_presentation::aRingFollowsThePointer() {
  PresentationFixture f;
  const PointerRing& ring = f.presentation->ring();
  f.presentation->setOn(true);
  QVERIFY(ring.testAttribute(Qt::WA_TransparentForMouseEvents));
  for (const QPoint place : {QPoint(60, 70), QPoint(90, 50)}) {
    QCursor::setPos(f.window.mapToGlobal(place));
    QTRY_VERIFY(ring.isVisible());
    QTRY_COMPARE(ring.geometry().center(), place - QPoint(1, 1));
  }
  QTest::keyClick(&f.window, Qt::Key_R);
  QVERIFY(!ring.isOn() && !ring.isVisible());
  QTest::keyClick(&f.window, Qt::Key_R);
  QVERIFY(ring.isOn());
  QTest::keyClick(&f.window, Qt::Key_B);
  QVERIFY(!ring.isOn());
  QTest::keyClick(&f.window, Qt::Key_B);
  QVERIFY(ring.isOn());
  f.presentation->setOn(false);
  QVERIFY(!ring.isOn() && !ring.isVisible());
}

void tst_presentation::f5RunsAChangedPrompt() {
  PresentationFixture f;
  QSignalSpy asked(f.presentation, &Presentation::runRequested);
  f.presentation->setOn(true);
  auto* hint = f.window.findChild<QLabel*>(QStringLiteral("presentationHint"));
  hint->resize(2000, hint->height());  // room for all keys
  f.presentation->setRunsNext(false);
  QVERIFY(hint->text().contains(QStringLiteral("F5 plays")));
  f.presentation->setRunsNext(true);
  QVERIFY(hint->text().contains(QStringLiteral("F5 runs the prompt")));
  f.presentation->setPaused(true);
  QVERIFY(hint->text().contains(QStringLiteral("F5 resumes the run")));
  QTest::keyClick(&f.window, Qt::Key_F5);
  QCOMPARE(asked.count(), 1);
  QVERIFY(!f.presentation->isPlaying());
}

void tst_presentation::showsLargeTypeWithoutChrome() {
  PresentationFixture f;
  const qreal before = f.window.centralWidget()->font().pointSizeF();
  f.presentation->setOn(true);
  test::sendApplicationFontChange();
  QVERIFY(f.menu->isHidden());
  QVERIFY(f.dock->titleBarWidget());
  QCOMPARE(f.window.centralWidget()->font().pointSizeF(),
           before * Presentation::enlargement(f.window.screen()->size()));
  QVERIFY(f.window.isFullScreen());
}

void tst_presentation::typeGrowsWithTheScreen() {
  QCOMPARE(Presentation::enlargement({1280, 800}), Presentation::kLeastEnlargement);
  QCOMPARE(Presentation::enlargement({1920, 1080}), 1.8);
  QCOMPARE(Presentation::enlargement({1500, 3000}), 1.5);  // limited by the width
  QCOMPARE(Presentation::enlargement({7680, 4320}), 3.0);
}

/// A text field with the focus would take the arrow keys.
void tst_presentation::arrowsSelectStepsAfterTextWasEdited() {
  PresentationFixture f;
  auto* edit = new QLineEdit(&f.window);
  edit->show();
  edit->setFocus();
  QTRY_VERIFY(edit->hasFocus());
  f.presentation->setOn(true);
  QTest::keyClick(&f.window, Qt::Key_Right);
  QCOMPARE(f.selection.step(), 3);
  QVERIFY(!edit->hasFocus());
}

void tst_presentation::escapeRestoresTheWindow() {
  PresentationFixture f;
  const QFont before = QApplication::font();
  QSignalSpy changed(f.presentation, &Presentation::changed);
  f.presentation->setOn(true);
  QTest::keyClick(&f.window, Qt::Key_Escape);
  QVERIFY(!f.presentation->isOn());
  QVERIFY(f.menu->isVisible());
  QVERIFY(!f.dock->titleBarWidget());
  QCOMPARE(QApplication::font(), before);
  QVERIFY(!f.window.isFullScreen());
  QCOMPARE(changed.count(), 2);
}

void tst_presentation::keysWalkTheStepsOnlyInAPresentation() {
  PresentationFixture f;
  QTest::keyClick(&f.window, Qt::Key_Right);
  QCOMPARE(f.selection.step(), 2);
  f.presentation->setOn(true);
  QTest::keyClick(&f.window, Qt::Key_Right);
  QCOMPARE(f.selection.step(), 3);
  QTest::keyClick(&f.window, Qt::Key_Home);
  QCOMPARE(f.selection.step(), 0);
}

void tst_presentation::playsToTheLastStep() {
  PresentationFixture f;
  f.presentation->setOn(true);
  QTest::keyClick(&f.window, Qt::Key_F5);
  QVERIFY(f.presentation->isPlaying());
  QCOMPARE(f.selection.step(), 3);
  QTRY_VERIFY_WITH_TIMEOUT(!f.presentation->isPlaying(),
                           10 * Presentation::kPlayMilliseconds);
  QCOMPARE(f.selection.step(), 4);
}

void tst_presentation::playingBeginsAnewAtTheEnd() {
  PresentationFixture f;
  f.presentation->setOn(true);
  f.selection.selectStep(4);
  f.presentation->togglePlaying();
  QCOMPARE(f.selection.step(), 0);
  f.presentation->togglePlaying();
  QVERIFY(!f.presentation->isPlaying());
}

void tst_presentation::keysAreNamedBelowTheContent() {
  PresentationFixture f;
  const auto* hint = f.window.findChild<QLabel*>(QStringLiteral("presentationHint"));
  QVERIFY(hint && !hint->isVisible());
  f.presentation->setOn(true);
  QTRY_VERIFY(hint->isVisible());
  QVERIFY(hint->text().contains(QStringLiteral("Esc leaves")));
  const auto area = [&](const QWidget* widget) {
    return QRect(widget->mapTo(&f.window, QPoint()), widget->size());
  };
  QTRY_VERIFY(!area(hint).intersects(area(f.window.centralWidget())));
  QVERIFY(!area(hint).intersects(area(f.dock)));
  auto* bar = const_cast<QLabel*>(hint);
  for (const int width : {2000, 300, 150}) {
    bar->resize(width, bar->height());
    QVERIFY(bar->text().endsWith(QStringLiteral("Esc leaves")));
    QVERIFY(bar->fontMetrics().horizontalAdvance(bar->text()) <= width || width == 150);
  }
  QCOMPARE(bar->text().count(u','), 1);
  QTest::keyClick(&f.window, Qt::Key_Escape);
  QVERIFY(!hint->isVisible());
}

void tst_presentation::f5RequestsARunWhenThereAreNoSteps() {
  PresentationFixture f;
  const QSignalSpy requested(f.presentation, &Presentation::runRequested);
  f.presentation->setOn(true);
  QTest::keyClick(&f.window, Qt::Key_F5);
  QCOMPARE(requested.count(), 0);
  QVERIFY(f.presentation->isPlaying());
  f.presentation->togglePlaying();
  f.selection.reset();
  const auto* hint = f.window.findChild<QLabel*>(QStringLiteral("presentationHint"));
  QCOMPARE(hint->text(), QStringLiteral("F5 runs the prompt, Esc leaves"));
  f.presentation->setPaused(true);
  QCOMPARE(hint->text(), QStringLiteral("F5 resumes the run, Esc leaves"));
  QTest::keyClick(&f.window, Qt::Key_F5);
  QCOMPARE(requested.count(), 1);
  QVERIFY(!f.presentation->isPlaying());
}

EQUIPATCH_TEST(tst_presentation)
#include "tst_presentation.moc"
