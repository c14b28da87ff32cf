#include <QLabel>

#include "tests/support/test_case.h"
#include "ui/chart/flow_layout.h"

using namespace equipatch;

class tst_flow_layout : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void fillsRows();
  void leavesNothingOut();
  void heightFollowsTheWidth();
  void skipsHiddenWidgets();
};

void tst_flow_layout::fillsRows() {
  const auto places = FlowLayout::arrange({{40, 10}, {40, 12}, {40, 10}}, 85, 2);
  QCOMPARE(places[0], QRect(0, 0, 40, 10));
  QCOMPARE(places[1], QRect(42, 0, 40, 12));
  QCOMPARE(places[2], QRect(0, 14, 40, 10));
}

void tst_flow_layout::leavesNothingOut() {
  const auto places = FlowLayout::arrange({{400, 10}, {40, 10}}, 50, 2);
  QCOMPARE(places.size(), 2);
  QCOMPARE(places[0].top(), 0);
  QCOMPARE(places[1].top(), 12);
  QVERIFY(FlowLayout::arrange({}, 50, 2).isEmpty());
}

void tst_flow_layout::heightFollowsTheWidth() {
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

void tst_flow_layout::skipsHiddenWidgets() {
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

EQUIPATCH_TEST(tst_flow_layout)
#include "tst_flow_layout.moc"
