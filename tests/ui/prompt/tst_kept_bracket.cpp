#include "ui/prompt/token_text.h"

#include <QImage>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_kept_bracket : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void liesAlongTheLowerEdge();
  void endsWhereTheStretchEnds();
};

namespace {

QImage drawn(BracketEnds ends) {
  QImage image(20, 12, QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  drawKeptBracket(painter, QRectF(2, 0, 16, 12), ends, Qt::black);
  return image;
}

bool isSet(const QImage& image, int x, int y) {
  return image.pixelColor(x, y) == Qt::black;
}

}  // namespace

void tst_kept_bracket::liesAlongTheLowerEdge() {
  const QImage image = drawn(BracketEnds::None);
  QVERIFY(isSet(image, 10, 11) && isSet(image, 2, 11) && isSet(image, 17, 11));
  QVERIFY(!isSet(image, 1, 11) && !isSet(image, 18, 11));
  QVERIFY(!isSet(image, 10, 8) && !isSet(image, 2, 8));
}

void tst_kept_bracket::endsWhereTheStretchEnds() {
  QVERIFY(isSet(drawn(BracketEnds::Left), 2, 8));
  QVERIFY(!isSet(drawn(BracketEnds::Left), 17, 8));
  QVERIFY(isSet(drawn(BracketEnds::Right), 17, 8));
  QVERIFY(!isSet(drawn(BracketEnds::Right), 2, 8));
  const QImage both = drawn(BracketEnds::Both);
  QVERIFY(isSet(both, 2, 8) && isSet(both, 17, 8) && !isSet(both, 10, 8));
  QCOMPARE(bracketEnds(true, true), BracketEnds::Both);
  QCOMPARE(bracketEnds(true, false), BracketEnds::Left);
  QCOMPARE(bracketEnds(false, true), BracketEnds::Right);
  QCOMPARE(bracketEnds(false, false), BracketEnds::None);
}

EQUIPATCH_TEST(tst_kept_bracket)
#include "tst_kept_bracket.moc"
