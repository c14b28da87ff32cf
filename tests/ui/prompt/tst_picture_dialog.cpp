// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_dialog.h"

#include <QTest>

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_picture_dialog : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aTokenHasItsSquare();
  void withoutASquareNothingIsPicked();
  void drawsAMap();

 private:
  std::shared_ptr<const PictureFile> m_picture =
      readPicture(test::data("pictures/photo.jpg"));
};

void tst_picture_dialog::aTokenHasItsSquare() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureShelf shelf({});
  PictureDialog dialog({m_picture, {7, 22}}, theme, shelf);  // 4 × 4
  dialog.setAttribute(Qt::WA_DeleteOnClose, false);
  dialog.show();
  QTRY_VERIFY(!shelf.image(m_picture).isNull());
  PictureView& view = dialog.view();
  const QListView& tokens = dialog.tokens();
  QCOMPARE(tokens.model()->rowCount(), 16);
  QCOMPARE(tokens.model()->index(6, 0).data().toString(),
           QStringLiteral("token 13: row 2, column 3"));
  const QRectF picture = view.imageRect();
  const QPointF place =
      picture.topLeft() + QPointF(0.6 * picture.width(), 0.3 * picture.height());
  QTest::mouseClick(&view, Qt::LeftButton, {}, place.toPoint());
  QCOMPARE(view.picked(), 6);
  QCOMPARE(tokens.currentIndex().row(), 6);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(tokens.currentIndex().row(), 10);
  QTest::keyClick(&view, Qt::Key_Down);
  QTest::keyClick(&view, Qt::Key_Down);  // it is the last row already
  QCOMPARE(view.picked(), 14);
  dialog.tokens().setCurrentIndex(tokens.model()->index(0, 0));
  QCOMPARE(view.picked(), 0);
}

void tst_picture_dialog::withoutASquareNothingIsPicked() {
  const Theme theme;
  PictureShelf shelf({});
  QCOMPARE(tokensOnASide({3, 8}), 0);  // 6 tokens
  QCOMPARE(tokensOnASide({0, -1}), 0);
  PictureDialog dialog({m_picture, {0, -1}}, theme, shelf);
  dialog.setAttribute(Qt::WA_DeleteOnClose, false);
  QVERIFY(dialog.tokens().isHidden());
  QTest::mouseClick(&dialog.view(), Qt::LeftButton);
  QTest::keyClick(&dialog.view(), Qt::Key_Down);
  QCOMPARE(dialog.view().picked(), -1);
}

void tst_picture_dialog::drawsAMap() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureView view(theme);
  view.resize(200, 200);
  QImage white(10, 10, QImage::Format_RGB32);
  white.fill(Qt::white);
  view.setImage(white);
  view.setMap({2, {0.0, 1.0, 2.0, 2.0}});
  const QImage drawn = view.grab().toImage();
  QVERIFY(drawn.pixelColor(50, 50) != drawn.pixelColor(150, 50));
  QCOMPARE(drawn.pixelColor(50, 150), drawn.pixelColor(150, 150));
  view.setMap({});
  QCOMPARE(view.grab().toImage().pixelColor(50, 50), QColor(Qt::white));
}

EQUIPATCH_TEST(tst_picture_dialog)
#include "tst_picture_dialog.moc"
