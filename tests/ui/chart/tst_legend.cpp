// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/legend.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/chart/meaning.h"
#include "ui/chart/small_widgets.h"

using namespace equipatch;

class tst_legend : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void widgetsWrapIntoRows();
  void aWidgetWiderThanItsRowIsPlaced();
  void heightFollowsTheWidth();
  void skipsHiddenWidgets();
  void switchesSeriesByMouseAndKeyboard();
  void longLegendsScroll();
  void clearingRemovesTheEntries();
  void swatchesGrowWithTheFont();
  void aRemarkIsNotCheckableAndCanBeRemoved();
  void tabStopsOnceAndArrowsMoveTheFocus();
  void tabGoesOnFromTheEntryThatHasTheFocus();
  void longNamesAreCutInTheMiddleAndAmpersandsDoubled();
  void cutNamesStayDifferent();
  void namesOfRunsAreNotExplained();
};

void tst_legend::widgetsWrapIntoRows() {
  const auto places = FlowLayout::arrange({{40, 10}, {40, 12}, {40, 10}}, 85, 2);
  QCOMPARE(places[0], QRect(0, 1, 40, 10));  // in the middle of its row
  QCOMPARE(places[1], QRect(42, 0, 40, 12));
  QCOMPARE(places[2], QRect(0, 14, 40, 10));
}

void tst_legend::aWidgetWiderThanItsRowIsPlaced() {
  const auto places = FlowLayout::arrange({{400, 10}, {40, 10}}, 50, 2);
  QCOMPARE(places.size(), 2);
  QCOMPARE(places[0].top(), 0);
  QCOMPARE(places[1].top(), 12);
  QVERIFY(FlowLayout::arrange({}, 50, 2).isEmpty());
}

void tst_legend::heightFollowsTheWidth() {
  QWidget parent;
  auto* layout = new FlowLayout(&parent);
  for (int i = 0; i < 4; ++i) {
    auto* label = new QLabel(&parent);
    label->setFixedSize(50, 10);
    layout->addWidget(label);
  }
  QCOMPARE(layout->heightForWidth(300), 10);
  QCOMPARE(layout->heightForWidth(110), 22);
  QCOMPARE(layout->count(), 4);
}

void tst_legend::skipsHiddenWidgets() {
  QWidget parent;
  auto* layout = new FlowLayout(&parent);
  for (int i = 0; i < 2; ++i) {
    auto* label = new QLabel(&parent);
    label->setFixedSize(50, 10);
    layout->addWidget(label);
  }
  layout->itemAt(0)->widget()->hide();
  layout->setGeometry(QRect(0, 0, 60, 40));
  QCOMPARE(layout->itemAt(1)->widget()->pos(), QPoint(0, 0));
  delete layout->takeAt(0);
  QCOMPARE(layout->count(), 1);
  QVERIFY(!layout->takeAt(5));
}

void tst_legend::switchesSeriesByMouseAndKeyboard() {
  const Theme theme;
  Legend legend;
  legend.add(numberedStyle(QStringLiteral("a"), 0), theme.colours());
  legend.add(numberedStyle(QStringLiteral("b"), 1), theme.colours());
  QSignalSpy toggled(&legend, &Legend::toggled);
  const auto buttons = legend.findChildren<QToolButton*>();
  QCOMPARE(buttons.size(), 2);
  QTest::mouseClick(buttons[1], Qt::LeftButton);
  QCOMPARE(toggled.count(), 1);
  QCOMPARE(toggled[0][0].toInt(), 1);
  QVERIFY(!legend.isOn(1));
  QVERIFY(legend.isOn(0));
  QTest::keyClick(buttons[1], Qt::Key_Space);
  QVERIFY(legend.isOn(1));
  QVERIFY(!buttons[0]->accessibleName().isEmpty());
}

/// The legend scrolls if its entries need more than its share of the chart's height.
void tst_legend::longLegendsScroll() {
  const test::QuietPlatform quiet;
  const Theme theme;
  auto* legend = new Legend;
  QWidget window;
  auto* area = new LegendArea(legend, &window);
  auto* column = new QVBoxLayout(&window);
  column->addWidget(area);
  column->addStretch(1);
  area->setChartHeight(300);
  window.resize(300, 300);
  window.show();
  legend->add(numberedStyle(QStringLiteral("one"), 0), theme.colours());
  QTRY_VERIFY(area->height() == area->sizeHint().height() && area->height() > 0);
  QTRY_VERIFY(!area->verticalScrollBar()->isVisible());
  legend->add(numberedStyle(QStringLiteral("two"), 1), theme.colours());
  legend->add(numberedStyle(QStringLiteral("three, which is in the second row"), 1),
              theme.colours());
  QTRY_COMPARE(area->height(), legend->layout()->heightForWidth(area->width()));
  QVERIFY(!area->verticalScrollBar()->isVisible());
  for (int i = 1; i < 30; ++i)
    legend->add(numberedStyle(QStringLiteral("run %1").arg(i), i), theme.colours());
  QTRY_VERIFY(area->verticalScrollBar()->isVisible());
  QVERIFY2(area->height() <= 100, qPrintable(QString::number(area->height())));
  QVERIFY(area->minimumSizeHint().height() < 30);
  // The last visible row is not cut.
  for (const auto* entry : legend->findChildren<QToolButton*>()) {
    const QRect place = entry->geometry();
    QVERIFY(place.bottom() < area->height() || place.top() >= area->height());
  }
  // The entry that has the focus is in sight.
  const auto entries = legend->findChildren<QToolButton*>();
  window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  entries.last()->setFocus();
  QTRY_VERIFY(!entries.last()->visibleRegion().isEmpty());
}

void tst_legend::clearingRemovesTheEntries() {
  const Theme theme;
  Legend legend;
  legend.add(numberedStyle(QStringLiteral("a"), 0), theme.colours());
  legend.clear();
  QCOMPARE(legend.count(), 0);
}

void tst_legend::swatchesGrowWithTheFont() {
  const Theme theme;
  Legend legend;
  legend.add(numberedStyle(QStringLiteral("a"), 0), theme.colours());
  const auto* entry = legend.findChild<QToolButton*>();
  const QSize usual = entry->iconSize();
  QFont large = legend.font();
  large.setPointSizeF(2.0 * large.pointSizeF());
  legend.setFont(large);
  QVERIFY(entry->iconSize().width() > 1.8 * usual.width());
  QVERIFY(entry->iconSize().height() > 1.8 * usual.height());
}

void tst_legend::aRemarkIsNotCheckableAndCanBeRemoved() {
  const Theme theme;
  Legend legend;
  legend.add(numberedStyle(QStringLiteral("a"), 0), theme.colours());
  legend.setRemark(zeroRemark(), theme.colours());
  QCOMPARE(legend.count(), 1);
  QCOMPARE(legend.remark(), QStringLiteral("exactly 0"));
  const auto* remark = legend.findChild<QToolButton*>(QStringLiteral("legendRemark"));
  QVERIFY(remark && !remark->isCheckable() && !remark->toolTip().isEmpty());
  legend.setRemark({}, theme.colours());
  QVERIFY(legend.remark().isEmpty());
  legend.setRemark(zeroRemark(), theme.colours());
  legend.clear();
  QVERIFY(legend.remark().isEmpty());
}

void tst_legend::tabStopsOnceAndArrowsMoveTheFocus() {
  const test::QuietPlatform quiet;
  const Theme theme;
  QWidget window;
  Legend legend(&window);
  for (int i = 0; i < 3; ++i)
    legend.add(numberedStyle(QString::number(i), i), theme.colours());
  legend.resize(300, 60);
  window.resize(320, 80);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  const auto buttons = legend.findChildren<QToolButton*>();
  const auto stops = [&] {
    return std::ranges::count_if(buttons, [](const QToolButton* button) {
      return bool(button->focusPolicy() & Qt::TabFocus);
    });
  };
  QCOMPARE(stops(), 1);
  buttons[0]->setFocus();
  QTest::keyClick(buttons[0], Qt::Key_Right);
  QTRY_VERIFY(buttons[1]->hasFocus());
  QCOMPARE(stops(), 1);
  QTest::keyClick(buttons[1], Qt::Key_Down);
  QTest::keyClick(buttons[2], Qt::Key_Right);
  QTRY_VERIFY(buttons[2]->hasFocus());
  QTest::keyClick(buttons[2], Qt::Key_Space);
  QVERIFY(!legend.isOn(2));
}

void tst_legend::tabGoesOnFromTheEntryThatHasTheFocus() {
  const test::QuietPlatform quiet;
  const Theme theme;
  QWidget window;
  Legend legend(&window);
  legend.add(numberedStyle(QStringLiteral("0"), 0), theme.colours());
  QPushButton after(&window);
  legend.add(numberedStyle(QStringLiteral("1"), 1), theme.colours());
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  legend.tabStop()->setFocus();
  QTest::keyClick(legend.tabStop(), Qt::Key_Right);
  QCOMPARE(window.focusWidget(), legend.findChildren<QToolButton*>()[1]);
  QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
  QCOMPARE(window.focusWidget(), &after);
  QTest::keyClick(&after, Qt::Key_Backtab);
  QCOMPARE(window.focusWidget(), legend.findChildren<QToolButton*>()[1]);
}

void tst_legend::cutNamesStayDifferent() {
  const test::QuietPlatform quiet;
  const Theme theme;
  Legend legend;
  for (const char* method : {"direct", "stable"})
    legend.add(
        numberedStyle(QStringLiteral("stories260K bfloat16 %1 open Tom and his dog went")
                          .arg(QString::fromLatin1(method)),
                      0),
        theme.colours());
  legend.resize(180, 60);
  legend.show();
  const auto entries = legend.findChildren<QToolButton*>();
  QTRY_VERIFY(entries[0]->text().contains(u'…'));
  QVERIFY2(entries[0]->text() != entries[1]->text(), qPrintable(entries[0]->text()));
}

void tst_legend::longNamesAreCutInTheMiddleAndAmpersandsDoubled() {
  const test::QuietPlatform quiet;
  const Theme theme;
  Legend legend;
  const QString name =
      QStringLiteral("beginning ") + QString(200, u'x') + QStringLiteral(" end");
  legend.add(numberedStyle(name, 0), theme.colours());
  legend.resize(200, 60);
  legend.show();
  const auto* entry = legend.findChild<QToolButton*>();
  QTRY_VERIFY(entry->text().contains(u'…'));
  QVERIFY(entry->text().startsWith(QStringLiteral("beg")));
  QVERIFY(entry->text().endsWith(QStringLiteral("end")));
  QVERIFY(entry->width() <= legend.width());
  QCOMPARE(legend.name(0), name);
  Legend other;
  other.add(numberedStyle(QStringLiteral("R&D"), 0), theme.colours());
  QCOMPARE(other.findChild<QToolButton*>()->text(), QStringLiteral("R&&D"));
  QCOMPARE(withAmpersands(QStringLiteral("R & D&C")), QStringLiteral("R && D&&C"));
  QVERIFY(entry->toolTip().contains(name));
}

/// If a run's name is also a glossary term, the run's tooltip must not explain the term.
void tst_legend::namesOfRunsAreNotExplained() {
  const Theme theme;
  Legend legend;
  SeriesStyle style = numberedStyle(QStringLiteral("audit"), 0);
  legend.add(style, theme.colours());
  style.isRun = true;
  legend.add(style, theme.colours());
  const auto entries = legend.findChildren<QToolButton*>();
  QCOMPARE(entries.size(), 2);
  QVERIFY(!meaningOf(style.name).isEmpty());
  QVERIFY2(entries[1]->toolTip().size() + meaningOf(style.name).size() <=
               entries[0]->toolTip().size(),
           qPrintable(entries[1]->toolTip()));
  QVERIFY(entries[1]->toolTip().contains(style.name));
}

EQUIPATCH_TEST(tst_legend)
#include "tst_legend.moc"
