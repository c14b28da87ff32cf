// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QTest>
#include <QTimer>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/window/presentation.h"
#include "ui/window/window_settings.h"

using namespace equipatch;

namespace {

/// A main window with a dock at the left, a tab behind this dock, and a dock at the top.
struct Window {
  test::QuietPlatform quiet;
  QMainWindow window;
  DockLayout docks{window};
  QDockWidget* left = docks.add(
      new QLabel(QStringLiteral("l")),
      {QStringLiteral("left"), QStringLiteral("Left"), Qt::LeftDockWidgetArea, 200});
  QDockWidget* top = docks.add(
      new QLabel(QStringLiteral("t")),
      {QStringLiteral("top"), QStringLiteral("Top"), Qt::TopDockWidgetArea, 80});
  QDockWidget* behind =
      docks.add(new QLineEdit(QStringLiteral("b")), {.name = QStringLiteral("behind"),
                                                     .title = QStringLiteral("Behind"),
                                                     .area = Qt::LeftDockWidgetArea,
                                                     .extent = 200,
                                                     .behind = QStringLiteral("left")});
};

}  // namespace

class tst_dock_layout : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void storesHiddenDocks();
  void keepsWidthsOverARestart();
  void keepsWidthsIfMaximisedAfterShowing();
  void aDockMovedToTheBottomWidensNoOtherDock();
  void aWideWindowHasWiderDocks();
  void docksGrowAgainWithTheirWindow();
  void onlyAMovedBorderChangesTheWidthOfADock();
  void aBorderMovedInAPresentationIsForgotten();
  void docksThatASavedLayoutLacksAreShown();
  void theInitialSizeFitsTheScreen();
  void resetRestoresDocksAndTheirAreas();
  void togglesHaveShortcuts();
  void aToggleRaisesATabAndThenHidesIt();
};

void tst_dock_layout::storesHiddenDocks() {
  const test::ScratchSettings scratch;
  {
    Window w;
    w.docks.restore();
    w.window.show();
    w.left->hide();
    w.docks.save();
  }
  Window again;
  again.docks.restore();
  again.window.show();
  QVERIFY(!again.left->isVisible());
  QVERIFY(again.top->isVisible());
}

void tst_dock_layout::keepsWidthsOverARestart() {
  const test::ScratchSettings scratch;
  {
    Window w;
    w.window.setCentralWidget(new QLabel);
    w.docks.restore();
    w.window.show();
    w.window.resizeDocks({w.left}, {260}, Qt::Horizontal);
    QTRY_COMPARE(w.left->width(), 260);
    w.docks.save();
  }
  Window again;
  again.window.setCentralWidget(new QLabel);
  again.docks.restore();
  again.window.show();
  QTRY_COMPARE(again.left->width(), 260);
}

/// A window manager may show a window at another size before maximising the window.
void tst_dock_layout::keepsWidthsIfMaximisedAfterShowing() {
  const test::ScratchSettings scratch;
  QSize maximised;
  {
    Window w;
    w.window.setCentralWidget(new QLabel);
    w.docks.restore();
    w.window.showMaximized();
    maximised = w.window.size();
    w.window.resizeDocks({w.left}, {260}, Qt::Horizontal);
    QTRY_COMPARE(w.left->width(), 260);
    w.docks.save();
  }
  Window again;
  again.window.setCentralWidget(new QLabel);
  again.docks.restore();
  QVERIFY(again.window.isMaximized());
  again.window.show();
  again.window.resize(maximised * 0.5);
  QCoreApplication::processEvents();
  again.window.resize(maximised);
  QTRY_COMPARE(again.left->width(), 260);
}

/// A dock at the bottom is as wide as the window.
void tst_dock_layout::aDockMovedToTheBottomWidensNoOtherDock() {
  const test::ScratchSettings scratch;
  int width = 0;
  {
    Window w;
    w.window.setCentralWidget(new QLabel);
    w.docks.restore();
    w.window.show();
    w.window.addDockWidget(Qt::BottomDockWidgetArea, w.behind);
    QTRY_VERIFY(w.behind->width() > 600 && !w.behind->visibleRegion().isEmpty());
    width = w.left->width();
    w.docks.save();
  }
  Window again;
  again.window.setCentralWidget(new QLabel);
  again.docks.restore();
  again.window.show();
  QCOMPARE(again.window.dockWidgetArea(again.behind), Qt::BottomDockWidgetArea);
  const auto* settling = again.docks.findChild<QTimer*>();
  QVERIFY(settling && settling->isActive());
  QTRY_VERIFY(!settling->isActive());
  // When the window is resized, a dock that is too narrow gets its width back.
  again.window.resizeDocks({again.left}, {1}, Qt::Horizontal);
  QTRY_VERIFY(again.left->width() < width);
  again.window.resize(again.window.size() - QSize(10, 0));
  QTRY_COMPARE(again.left->width(), width);
}

void tst_dock_layout::aWideWindowHasWiderDocks() {
  Window w;
  w.window.setCentralWidget(new QLabel);
  w.window.show();
  w.window.resize(1280, 600);
  w.docks.reset();
  QTRY_COMPARE(w.left->width(), 200);
  w.window.resize(2560, 600);
  w.docks.reset();
  QTRY_COMPARE(w.left->width(), 300);  // docks grow by at most half
}

void tst_dock_layout::docksGrowAgainWithTheirWindow() {
  const test::ScratchSettings scratch;
  Window w;
  auto* centre = new QLabel;
  centre->setMinimumWidth(200);
  w.window.setCentralWidget(centre);
  w.window.show();
  w.window.resize(1280, 600);
  w.docks.reset();
  QTRY_COMPARE(w.left->width(), 200);
  w.window.resize(300, 600);
  QTRY_VERIFY(w.left->width() < 150);
  w.window.resize(1280, 600);
  QTRY_COMPARE(w.left->width(), 200);
}

/// The window also receives a click on a label, because the label ignores the click.
void tst_dock_layout::onlyAMovedBorderChangesTheWidthOfADock() {
  const test::ScratchSettings scratch;
  Window w;
  auto* centre = new QLabel;
  centre->setMinimumWidth(200);
  w.window.setCentralWidget(centre);
  w.window.show();
  w.window.resize(1280, 600);
  w.docks.reset();
  QTRY_COMPARE(w.left->width(), 200);
  w.window.resize(300, 600);
  QTRY_VERIFY(w.left->width() < 150);
  QTest::mouseClick(centre, Qt::LeftButton);
  w.window.resize(1280, 600);
  QTRY_COMPARE(w.left->width(), 200);
  QTest::mousePress(centre, Qt::LeftButton);
  w.window.resizeDocks({w.left}, {260}, Qt::Horizontal);
  QTRY_COMPARE(w.left->width(), 260);
  QTest::mouseRelease(centre, Qt::LeftButton);
  w.window.resize(300, 600);
  QTRY_VERIFY(w.left->width() < 150);
  w.window.resize(1280, 600);
  QTRY_COMPARE(w.left->width(), 260);
}

void tst_dock_layout::aBorderMovedInAPresentationIsForgotten() {
  const test::ScratchSettings scratch;
  Window w;
  Selection selection;
  Presentation presentation(w.window, selection, {});
  auto* centre = new QLabel;
  centre->setMinimumWidth(200);
  w.window.setCentralWidget(centre);
  w.window.show();
  w.window.resize(1280, 600);
  w.docks.reset();
  QTRY_COMPARE(w.left->width(), 200);
  presentation.setOn(true);
  QTest::mousePress(centre, Qt::LeftButton);
  const int wide = w.left->width() + 60;
  w.window.resizeDocks({w.left}, {wide}, Qt::Horizontal);
  QTRY_COMPARE(w.left->width(), wide);
  QTest::mouseRelease(centre, Qt::LeftButton);
  presentation.setOn(false);
  w.window.resize(300, 600);
  QTRY_VERIFY(w.left->width() < 150);
  w.window.resize(1280, 600);
  QTRY_COMPARE(w.left->width(), 200);
  QCoreApplication::processEvents();  // a queued call could change the width
  QCOMPARE(w.left->width(), 200);
}

void tst_dock_layout::docksThatASavedLayoutLacksAreShown() {
  const test::ScratchSettings scratch;
  {
    Window w;
    w.docks.restore();
    w.window.show();
    w.top->hide();
    w.docks.save();
  }
  Window later;
  QDockWidget* added = later.docks.add(new QLabel(QStringLiteral("n")),
                                       {.name = QStringLiteral("new"),
                                        .title = QStringLiteral("New"),
                                        .area = Qt::LeftDockWidgetArea,
                                        .extent = 200,
                                        .behind = QStringLiteral("left")});
  later.docks.restore();
  later.window.show();
  QVERIFY(!added->isHidden());
  QVERIFY(later.window.tabifiedDockWidgets(later.left).contains(added));
  QVERIFY(later.top->isHidden());
}

void tst_dock_layout::theInitialSizeFitsTheScreen() {
  const Window w;
  QVERIFY(w.window.screen()->availableGeometry().contains(w.window.geometry()));
}

void tst_dock_layout::resetRestoresDocksAndTheirAreas() {
  const test::ScratchSettings scratch;
  Window w;
  w.window.show();
  w.left->hide();
  w.window.addDockWidget(Qt::RightDockWidgetArea, w.top);
  w.docks.reset();
  QVERIFY(w.left->isVisible());
  QCOMPARE(w.window.dockWidgetArea(w.top), Qt::TopDockWidgetArea);
}

void tst_dock_layout::togglesHaveShortcuts() {
  Window w;
  const QList<QAction*> toggles = w.docks.toggles();
  QCOMPARE(toggles.size(), 3);
  QCOMPARE(toggles[1]->shortcut(), QKeySequence(QStringLiteral("Alt+2")));
}

void tst_dock_layout::aToggleRaisesATabAndThenHidesIt() {
  Window w;
  w.window.show();
  const auto inFront = [](const QDockWidget* dock) {
    return !dock->visibleRegion().isEmpty();
  };
  QTRY_VERIFY(inFront(w.left) && !inFront(w.behind));
  QAction* toggle = w.docks.toggles()[2];
  toggle->trigger();
  QTRY_VERIFY(inFront(w.behind) && !inFront(w.left));
  QVERIFY(toggle->isChecked());
  QCOMPARE(w.window.focusWidget(), w.behind->widget());
  toggle->trigger();
  QTRY_VERIFY(w.behind->isHidden() && inFront(w.left));
  QVERIFY(!toggle->isChecked());
  toggle->trigger();
  QTRY_VERIFY(inFront(w.behind));
  QVERIFY(toggle->isChecked());
}

EQUIPATCH_TEST(tst_dock_layout)
#include "tst_dock_layout.moc"
