// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_geometry.h"

#include <QLabel>
#include <QScreen>
#include <QVBoxLayout>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_window_geometry : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aWindowIsLimitedToTheScreensSize();
  void aWindowSavedOnALargerScreenIsFitted();
  void aWindowThatFitsStaysWhereItWas();
  void aWindowThatGrewForItsContentFitsAgain();
  void anEmptySavedGeometryChangesNothing();
  void aWindowIsPlacedBesideTheGivenArea();

 private:
  /// What saveGeometry() returns on a screen that has room for this geometry.
  static QByteArray savedAt(const QRect& geometry) {
    QWidget window;
    window.setGeometry(geometry);
    return window.saveGeometry();
  }
};

void tst_window_geometry::aWindowIsLimitedToTheScreensSize() {
  QWidget window;
  resizeWithinScreen(window, {300, 200});
  QCOMPARE(window.size(), QSize(300, 200));
  const QSize room = window.screen()->availableSize();
  resizeWithinScreen(window, room * 2);
  QVERIFY(window.width() <= room.width() && window.width() > room.width() - 20);
  QVERIFY(window.height() < room.height() && window.height() > room.height() - 80);
}

void tst_window_geometry::aWindowSavedOnALargerScreenIsFitted() {
  QWidget window;
  QVERIFY(restoreWithinScreen(window, savedAt({1500, 900, 2000, 1200})));
  QVERIFY(window.screen()->availableGeometry().contains(window.geometry()));
}

void tst_window_geometry::aWindowThatFitsStaysWhereItWas() {
  const QRect place(100, 120, 400, 300);
  QWidget window;
  QVERIFY(restoreWithinScreen(window, savedAt(place)));
  QCOMPARE(window.geometry(), place);
}

void tst_window_geometry::aWindowThatGrewForItsContentFitsAgain() {
  const equipatch::test::QuietPlatform quiet;
  QWidget window;
  auto* content = new QLabel;
  (new QVBoxLayout(&window))->addWidget(content);
  const QRect screen = window.screen()->availableGeometry();
  content->setMinimumHeight(2 * screen.height());
  window.show();
  QVERIFY(window.height() > screen.height());
  content->setMinimumHeight(screen.height() / 2);
  shrinkToScreen(window);
  QVERIFY(window.height() < screen.height());
}

void tst_window_geometry::anEmptySavedGeometryChangesNothing() {
  QWidget window;
  window.resize(320, 240);
  QVERIFY(!restoreWithinScreen(window, {}));
  QCOMPARE(window.size(), QSize(320, 240));
}

void tst_window_geometry::aWindowIsPlacedBesideTheGivenArea() {
  QWidget window;
  const QRect screen = window.screen()->availableGeometry();
  const int third = screen.width() / 3;
  const QRect left(screen.left(), screen.top(), third, screen.height());
  for (const QRect& kept : {left, left.translated(2 * third, 0)}) {
    window.resize(third / 2, third / 2);
    placeBeside(window, kept, screen.size() * 2);
    QVERIFY(!window.geometry().intersects(kept));
    QVERIFY(screen.contains(window.geometry()));
    QVERIFY(window.width() > third);
  }
}

EQUIPATCH_TEST(tst_window_geometry)
#include "tst_window_geometry.moc"
