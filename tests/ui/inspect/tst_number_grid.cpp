// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_case.h"
#include "ui/inspect/step_tables.h"

using namespace equipatch;

class tst_number_grid : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void showsRowsAndReusesLabels();
  void hidesTheLabelsOfRemovedCells();
};

void tst_number_grid::showsRowsAndReusesLabels() {
  NumberGrid grid;
  grid.setRows({{QStringLiteral("a"), QStringLiteral("1")}});
  const auto before = grid.findChildren<QLabel*>();
  grid.setRows({{QStringLiteral("b"), QStringLiteral("2")}});
  QCOMPARE(grid.findChildren<QLabel*>(), before);
  QCOMPARE(grid.text(0, 1), QStringLiteral("2"));
}

void tst_number_grid::hidesTheLabelsOfRemovedCells() {
  NumberGrid grid;
  grid.setRows({{QStringLiteral("a"), QStringLiteral("1"), QStringLiteral("2")},
                {QStringLiteral("b"), QStringLiteral("3")}});
  grid.setRows({{QStringLiteral("a"), QStringLiteral("1")}});
  QCOMPARE(grid.rowCount(), 1);
  int visible = 0;
  for (const QLabel* label : grid.findChildren<QLabel*>())
    visible += label->isVisibleTo(&grid);
  QCOMPARE(visible, 2);
  QCOMPARE(grid.text(7, 7), QString());
}

EQUIPATCH_TEST(tst_number_grid)
#include "tst_number_grid.moc"
