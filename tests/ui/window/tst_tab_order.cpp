// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tab_order.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QScrollArea>
#include <QTest>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_tab_order : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aRaisedDockWithoutATitleIsNotBehindAnother();
};

/// As in a presentation, where what a dock holds may cover all of it.
void tst_tab_order::aRaisedDockWithoutATitleIsNotBehindAnother() {
  const equipatch::test::QuietPlatform quiet;
  QMainWindow window;
  QList<QDockWidget*> docks;
  for (int dock = 0; dock < 2; ++dock) {
    docks << new QDockWidget(&window);
    auto* content = new QScrollArea;
    content->setFrameShape(QFrame::NoFrame);
    docks.last()->setWidget(content);
    auto* title = new QWidget;
    (new QHBoxLayout(title))->setContentsMargins({});
    docks.last()->setTitleBarWidget(title);
    window.addDockWidget(Qt::LeftDockWidgetArea, docks.last());
  }
  window.tabifyDockWidget(docks[0], docks[1]);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  const auto isBehind = [&](int dock) { return isBehindTab(*docks[dock]->widget()); };
  QTRY_VERIFY(isBehind(0) && !isBehind(1));
  docks[0]->raise();
  QTRY_VERIFY(!isBehind(0) && isBehind(1));
}

EQUIPATCH_TEST(tst_tab_order)
#include "tst_tab_order.moc"
