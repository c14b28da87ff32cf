#include <QPointer>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/window/about_box.h"

using namespace equipatch;

class tst_about_box : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void saysVersionAndLicenceAndGoesAway();
};

void tst_about_box::saysVersionAndLicenceAndGoesAway() {
  const test::QuietPlatform quiet;
  QWidget window;
  const QPointer<QMessageBox> box = showAboutBox(window);
  QVERIFY(box->text().contains(QStringLiteral(EQUIPATCH_VERSION)));
  QVERIFY(box->informativeText().contains(QStringLiteral("General Public License")));
  box->close();
  QTRY_VERIFY(!box);
}

EQUIPATCH_TEST(tst_about_box)
#include "tst_about_box.moc"
