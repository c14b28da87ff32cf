#include <QImage>
#include <QPainter>

#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "ui/inspect/choice_delegate.h"
#include "ui/inspect/choice_model.h"

using namespace equipatch;

class tst_choice_delegate : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void barsAreAsLongAsTheProbability();
  void paintsTheMismatchInRed();
};

void tst_choice_delegate::barsAreAsLongAsTheProbability() {
  const QRectF cell(10, 20, 108, 24);
  QCOMPARE(ChoiceDelegate::bar(cell, 1.0).width(), 100.0);
  QCOMPARE(ChoiceDelegate::bar(cell, 0.25).width(), 25.0);
  QCOMPARE(ChoiceDelegate::bar(cell, 7.0).width(), 100.0);
  QCOMPARE(ChoiceDelegate::bar(cell, 0.0).width(), 0.0);
  QVERIFY(cell.contains(ChoiceDelegate::bar(cell, 1.0)));
}

void tst_choice_delegate::paintsTheMismatchInRed() {
  const Theme theme;
  const auto record = test::makeRecord(0, {.mismatchEvery = 1});
  ChoiceModel model;
  model.setStep(record.get());
  const ChoiceDelegate delegate(theme, nullptr);
  QImage image(120, 24, QImage::Format_RGB32);
  image.fill(theme.colours().surface);
  QPainter painter(&image);
  QStyleOptionViewItem option;
  option.rect = image.rect();
  delegate.paint(&painter, option, model.index(0, ChoiceModel::Patched));
  painter.end();
  int reddish = 0;
  for (int x = 0; x < image.width(); ++x)
    for (int y = 0; y < image.height(); ++y)
      reddish +=
          image.pixelColor(x, y).hsvSaturation() > 120 &&
          (image.pixelColor(x, y).hsvHue() > 330 || image.pixelColor(x, y).hsvHue() < 20);
  QVERIFY(reddish > 5);
}

EQUIPATCH_TEST(tst_choice_delegate)
#include "tst_choice_delegate.moc"
