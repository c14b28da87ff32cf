#include "ui/chart/small_widgets.h"

#include <QScrollArea>
#include <QScrollBar>
#include <memory>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_scrollable : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void whatIsTooTallScrolls() {
    auto* content = new QWidget;
    content->setMinimumSize(10, 1000);
    const std::unique_ptr<QScrollArea> area(scrollable(content));
    area->resize(100, 200);
    area->show();
    QCOMPARE(area->widget(), content);
    QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
    QVERIFY(!area->horizontalScrollBar()->isVisible());
    QVERIFY(content->width() > 50);  // as wide as its place
  }
};

EQUIPATCH_TEST(tst_scrollable)
#include "tst_scrollable.moc"
