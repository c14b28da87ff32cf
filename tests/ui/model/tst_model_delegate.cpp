#include "ui/model/model_delegate.h"

#include <QImage>
#include <QPainter>

#include "tests/support/test_case.h"
#include "tests/ui/support/models.h"
#include "ui/model/model_items.h"

using namespace equipatch;

class tst_model_delegate : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void modelsTakeTwoLines();
  void drawsEveryKind();
};

void tst_model_delegate::modelsTakeTwoLines() {
  QStandardItemModel items;
  const ModelList list = test::someModels();
  model_items::fill(items, &list);
  const ModelDelegate delegate;
  const QStyleOptionViewItem option;
  const int heading = delegate.sizeHint(option, items.index(0, 0)).height();
  const int model = delegate.sizeHint(option, items.index(1, 0)).height();
  QVERIFY(model >= 2 * option.fontMetrics.height());
  QVERIFY(heading < model);
}

void tst_model_delegate::drawsEveryKind() {
  QStandardItemModel items;
  const ModelList list = test::someModels();
  model_items::fill(items, &list);
  const ModelDelegate delegate;
  for (int row = 0; row < items.rowCount(); ++row) {
    QImage picture(400, 60, QImage::Format_RGB32);
    picture.fill(Qt::white);
    QStyleOptionViewItem option;
    option.rect = picture.rect();
    const QImage blank = picture;
    QPainter painter(&picture);
    delegate.paint(&painter, option, items.index(row, 0));
    painter.end();
    QVERIFY2(picture != blank, qPrintable(items.item(row)->text()));
  }
}

EQUIPATCH_TEST(tst_model_delegate)
#include "tst_model_delegate.moc"
