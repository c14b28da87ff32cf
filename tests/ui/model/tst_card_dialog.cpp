#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/model/card_dialog.h"

using namespace equipatch;

class tst_card_dialog : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void showsACardUntilEscape();
};

void tst_card_dialog::showsACardUntilEscape() {
  const test::QuietPlatform quiet;
  QWidget window;
  window.show();
  CardDialog dialog(&window);
  dialog.showCard(QStringLiteral("A model"), QStringLiteral("<p>first</p>"), {});
  QVERIFY(dialog.isVisible());
  QVERIFY(!dialog.isModal());
  dialog.showCard(QStringLiteral("Another"), QStringLiteral("<p>second</p>"), {});
  QCOMPARE(dialog.windowTitle(), QStringLiteral("Another"));
  QCOMPARE(dialog.text(), QStringLiteral("second"));
  QTest::keyClick(&dialog, Qt::Key_Escape);
  QVERIFY(!dialog.isVisible());
}

EQUIPATCH_TEST(tst_card_dialog)
#include "tst_card_dialog.moc"
