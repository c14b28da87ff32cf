#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "ui/chart/legend.h"

using namespace equipatch;

class tst_legend : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void switchesSeriesByMouseAndKeyboard();
  void clearingRemovesEveryEntry();
  void swatchesGrowWithTheType();
};

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

void tst_legend::clearingRemovesEveryEntry() {
  const Theme theme;
  Legend legend;
  legend.add(numberedStyle(QStringLiteral("a"), 0), theme.colours());
  legend.clear();
  QCOMPARE(legend.count(), 0);
}

void tst_legend::swatchesGrowWithTheType() {
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

EQUIPATCH_TEST(tst_legend)
#include "tst_legend.moc"
