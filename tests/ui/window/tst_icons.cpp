#include <QPixmap>

#include "tests/support/test_case.h"
#include "ui/window/icons.h"

using namespace equipatch;

class tst_icons : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void shapesDiffer();
  void disabledLooksDifferent();
};

void tst_icons::shapesDiffer() {
  const auto picture = [](TransportShape shape) {
    return transportIcon(shape, Qt::black, Qt::gray).pixmap(16, 16).toImage();
  };
  const QImage run = picture(TransportShape::Run);
  QVERIFY(!run.isNull());
  QVERIFY(run != picture(TransportShape::Pause));
  QVERIFY(run != picture(TransportShape::Step));
  QVERIFY(picture(TransportShape::Stop) != picture(TransportShape::Pause));
}

void tst_icons::disabledLooksDifferent() {
  const QIcon icon = transportIcon(TransportShape::Stop, Qt::black, Qt::gray);
  QVERIFY(icon.pixmap(QSize(16, 16), QIcon::Normal).toImage() !=
          icon.pixmap(QSize(16, 16), QIcon::Disabled).toImage());
}

EQUIPATCH_TEST(tst_icons)
#include "tst_icons.moc"
