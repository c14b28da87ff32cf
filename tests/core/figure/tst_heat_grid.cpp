#include <cmath>
#include <random>

#include "core/figure/heat_grid.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_heat_grid : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void holdsWhatIsPut();
  void growsByColumns();
  void readsScaleDeltasOfAnyWidth();
  void poolingKeepsEveryOutlierWithItsSign();
  void poolingNeverInventsValues();
  void poolsOnlyTheView();
  void keepsSmallGridsAsTheyAre();
};

void tst_heat_grid::holdsWhatIsPut() {
  HeatGrid grid(3, 4);
  QVERIFY(std::isnan(grid.at(0, 0)));
  grid.set(2, 3, -5.0F);
  QCOMPARE(grid.at(2, 3), -5.0F);
  QCOMPARE(grid.largest(), 5.0F);
  QCOMPARE(HeatGrid().largest(), 0.0F);
}

void tst_heat_grid::growsByColumns() {
  HeatGrid grid(2, 0);
  grid.addColumn({1.0F, 2.0F});
  grid.addColumn({3.0F});
  grid.addColumn({4.0F, 5.0F, 6.0F});
  QCOMPARE(grid.columns(), 3);
  QCOMPARE(grid.at(1, 0), 2.0F);
  QVERIFY(std::isnan(grid.at(1, 1)));
  QCOMPARE(grid.at(1, 2), 5.0F);
}

void tst_heat_grid::readsScaleDeltasOfAnyWidth() {
  StepRecord record = *test::makeRecord(0, {.layers = 3, .width = 8});
  record.layers[1].scaleDelta.resize(2);
  const HeatGrid grid = scaleDeltaGrid(record);
  QCOMPARE(grid.layers(), 3);
  QCOMPARE(grid.columns(), 8);
  QCOMPARE(grid.at(2, 7), record.layers[2].scaleDelta[7]);
  QVERIFY(std::isnan(grid.at(1, 5)));
}

void tst_heat_grid::poolingKeepsEveryOutlierWithItsSign() {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const int columns = 1 + int(random() % 1200);
    const int cells = 1 + int(random() % 300);
    HeatGrid grid(1, columns);
    for (int c = 0; c < columns; ++c) grid.set(0, c, 0.001F);
    const int outlier = int(random() % unsigned(columns));
    grid.set(0, outlier, -7.0F);
    const PooledGrid pooled = pool(grid, 0, columns, cells);
    QVERIFY(pooled.grid.columns() <= std::max(cells, 1));
    int found = -1;
    for (int c = 0; c < pooled.grid.columns(); ++c)
      if (pooled.grid.at(0, c) == -7.0F) found = c;
    QVERIFY(found >= 0);
    // The cell lies where the column does.
    const double width = (pooled.last - pooled.first) / pooled.grid.columns();
    QVERIFY(std::abs((found + 0.5) * width - (outlier + 0.5)) <= width / 2 + 0.5);
  }
}

void tst_heat_grid::poolingNeverInventsValues() {
  HeatGrid grid(1, 5);
  grid.set(0, 3, 2.0F);
  const PooledGrid pooled = pool(grid, 0, 5, 5);
  QVERIFY(std::isnan(pooled.grid.at(0, 0)));
  QCOMPARE(pooled.grid.at(0, 3), 2.0F);
}

void tst_heat_grid::poolsOnlyTheView() {
  HeatGrid grid(1, 100);
  for (int c = 0; c < 100; ++c) grid.set(0, c, float(c));
  const PooledGrid pooled = pool(grid, 20.0, 30.0, 1000);
  QCOMPARE(pooled.grid.columns(), 10);
  QCOMPARE(pooled.first, 20.0);
  QCOMPARE(pooled.grid.at(0, 0), 20.0F);
  QCOMPARE(pool(grid, 200.0, 300.0, 10).grid.columns(), 0);
  QCOMPARE(pool(grid, -50.0, 500.0, 1000).grid.columns(), 100);
}

void tst_heat_grid::keepsSmallGridsAsTheyAre() {
  HeatGrid grid(2, 3);
  grid.set(1, 2, -1.0F);
  const PooledGrid pooled = pool(grid, 0, 3, 400);
  QCOMPARE(pooled.grid.columns(), 3);
  QCOMPARE(pooled.grid.at(1, 2), -1.0F);
}

EQUIPATCH_TEST(tst_heat_grid)
#include "tst_heat_grid.moc"
