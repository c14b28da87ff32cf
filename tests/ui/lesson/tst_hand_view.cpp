// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/hand_view.h"

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

namespace {

HandTable smallTable() {
  HandTable table{.matrix = "W_gate", .otherCount = 188};
  for (const std::size_t index : {3, 1, 4, 15})
    table.channels.push_back(
        {.index = index, .z = 1.5, .zContext = -2.25, .weight = 0.125, .change = 0.5});
  return table;
}

}  // namespace

class tst_hand_view : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// On a projector the table has type as large as the view has room for.
  void theTablesTypeAdaptsToTheViewsSize() {
    const test::QuietPlatform quiet;
    HandView view;
    view.resize(1600, 900);
    view.setVisible(true);
    view.show(smallTable(), 2);
    const auto* table = view.findChild<QLabel*>(QStringLiteral("handTable"));
    const double usual = table->font().pointSizeF();
    view.setFilling(true);
    const double large = table->font().pointSizeF();
    QVERIFY(large > 1.5 * usual);
    QVERIFY(table->sizeHint().width() <= 1600 && table->sizeHint().height() <= 900);
    view.resize(700, 500);
    const double smaller = table->font().pointSizeF();
    QVERIFY(smaller < large);
    QVERIFY(table->sizeHint().width() <= 700 && table->sizeHint().height() <= 500);
    view.setFilling(false);
    QCOMPARE(table->font().pointSizeF(), usual);
  }
};

EQUIPATCH_TEST(tst_hand_view)
#include "tst_hand_view.moc"
