// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/layer_toggles.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_layer_toggles : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void allLayersAreOnAtFirst();
  void aClickSwitchesALayer();
  void aDragSwitchesEveryLayerItPasses();
  void aDragMayBeginBesideABox();
  void theKeyboardReachesEveryLayer();
  void theMenuChoosesRangesOfLayers();
  void boxesBreakIntoRows();
  void theDescriptionNamesLayersThatAreOff();
  void theToolTipNamesTheLayer();
};

void tst_layer_toggles::allLayersAreOnAtFirst() {
  const Theme theme;
  LayerToggles toggles(theme);
  QVERIFY(toggles.chosen().empty());
  toggles.setCount(5);
  QCOMPARE(toggles.onCount(), 5);
}

void tst_layer_toggles::theToolTipNamesTheLayer() {
  const test::QuietPlatform quiet;
  const Theme theme;
  LayerToggles toggles(theme);
  toggles.setCount(5);
  toggles.resize(300, 40);
  toggles.setToolTip("Click or drag");
  toggles.show();
  const auto tipAt = [&](const QPoint& place) {
    QHelpEvent event(QEvent::ToolTip, place, toggles.mapToGlobal(place));
    QApplication::sendEvent(&toggles, &event);
    return QToolTip::text();
  };
  QCOMPARE(tipAt(toggles.box(3).center()), QString("Layer 3 is patched\nClick or drag"));
  QCOMPARE(tipAt(QPoint(298, 38)), QString("Click or drag"));
}

void tst_layer_toggles::aClickSwitchesALayer() {
  const Theme theme;
  LayerToggles toggles(theme);
  toggles.setCount(5);
  toggles.resize(300, 40);
  QSignalSpy changed(&toggles, &LayerToggles::changed);
  QTest::mouseClick(&toggles, Qt::LeftButton, {}, toggles.box(3).center());
  QCOMPARE(toggles.chosen(), (std::vector<std::int64_t>{0, 1, 2, 4}));
  QTest::mouseClick(&toggles, Qt::LeftButton, {}, toggles.box(3).center());
  QCOMPARE(toggles.onCount(), 5);
  QCOMPARE(changed.count(), 2);
  QTest::mouseClick(&toggles, Qt::LeftButton, {}, QPoint(298, 38));
  QCOMPARE(changed.count(), 2);
}

/// Moves the mouse over these layers with the left button down.
static void dragOver(LayerToggles& toggles, const std::vector<int>& layers) {
  for (const int layer : layers) {
    const QPointF at = toggles.box(layer).center();
    QMouseEvent move(QEvent::MouseMove, at, toggles.mapToGlobal(at), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&toggles, &move);
  }
}

void tst_layer_toggles::aDragSwitchesEveryLayerItPasses() {
  const Theme theme;
  LayerToggles toggles(theme);
  toggles.setCount(6);
  toggles.resize(300, 40);
  QTest::mousePress(&toggles, Qt::LeftButton, {}, toggles.box(1).center());
  dragOver(toggles, {2, 3, 2});
  QTest::mouseRelease(&toggles, Qt::LeftButton, {}, toggles.box(2).center());
  QCOMPARE(toggles.chosen(), (std::vector<std::int64_t>{0, 4, 5}));
}

/// It does what a click on its first box would do, whatever the drag before did.
void tst_layer_toggles::aDragMayBeginBesideABox() {
  const Theme theme;
  LayerToggles toggles(theme);
  toggles.setCount(6);
  toggles.resize(300, 40);
  const QPoint beside(298, 38);
  QTest::mousePress(&toggles, Qt::LeftButton, {}, beside);
  dragOver(toggles, {1, 2});
  QTest::mouseRelease(&toggles, Qt::LeftButton, {}, beside);
  QCOMPARE(toggles.chosen(), (std::vector<std::int64_t>{0, 3, 4, 5}));
  QTest::mousePress(&toggles, Qt::LeftButton, {}, beside);
  dragOver(toggles, {1, 2});
  QTest::mouseRelease(&toggles, Qt::LeftButton, {}, beside);
  QCOMPARE(toggles.onCount(), 6);
}

void tst_layer_toggles::theKeyboardReachesEveryLayer() {
  const Theme theme;
  LayerToggles toggles(theme);
  toggles.setCount(4);
  QTest::keyClick(&toggles, Qt::Key_End);
  QTest::keyClick(&toggles, Qt::Key_Space);
  QTest::keyClick(&toggles, Qt::Key_Left);
  QTest::keyClick(&toggles, Qt::Key_Left);
  QTest::keyClick(&toggles, Qt::Key_Space);
  QCOMPARE(toggles.chosen(), (std::vector<std::int64_t>{0, 2}));
  QTest::keyClick(&toggles, Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(toggles.onCount(), 4);
}

void tst_layer_toggles::theMenuChoosesRangesOfLayers() {
  const test::QuietPlatform quiet;
  const Theme theme;
  LayerToggles toggles(theme);
  toggles.setCount(6);
  toggles.resize(300, 40);
  toggles.show();
  const auto choose = [&](int entry) {
    const QPoint at = toggles.box(2).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, toggles.mapToGlobal(at));
    QCoreApplication::sendEvent(&toggles, &event);
    auto* menu = toggles.findChild<QMenu*>();
    menu->actions().at(entry)->trigger();
    delete menu;
    return toggles.chosen();
  };
  QCOMPARE(choose(0), (std::vector<std::int64_t>{2}));
  QCOMPARE(choose(1), (std::vector<std::int64_t>{0, 1, 2}));
  QCOMPARE(choose(2), (std::vector<std::int64_t>{2, 3, 4, 5}));
  // Entry 3 is the separator.
  QCOMPARE(choose(5), (std::vector<std::int64_t>{}));
  QCOMPARE(int(choose(4).size()), 6);
}

void tst_layer_toggles::boxesBreakIntoRows() {
  const Theme theme;
  LayerToggles toggles(theme);
  toggles.setCount(26);
  toggles.resize(150, 200);
  QVERIFY(toggles.box(25).top() > toggles.box(0).top());
  QVERIFY(toggles.rect().contains(toggles.box(25)));
  QVERIFY(toggles.heightForWidth(150) > toggles.heightForWidth(600));
}

void tst_layer_toggles::theDescriptionNamesLayersThatAreOff() {
  const Theme theme;
  LayerToggles toggles(theme);
  toggles.setCount(3);
  QTest::keyClick(&toggles, Qt::Key_Space);
  QCOMPARE(toggles.accessibleDescription(),
           QStringLiteral("Layer 0 is not patched; 2 of 3 layers are patched"));
}

EQUIPATCH_TEST(tst_layer_toggles)
#include "tst_layer_toggles.moc"
