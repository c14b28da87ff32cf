// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_map.h"

#include <cmath>
#include <limits>
#include <random>

#include "core/figure/layer_panels.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

FigureRange rangeOf(FigureMap::Colours colours, const std::vector<float>& values) {
  FigureMap map{.label = "map", .grid = HeatGrid(1, 0), .colours = colours};
  for (const float value : values) map.grid.addColumn({value});
  return colourRange(map);
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

}  // namespace

class tst_figure_map : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void keepsTheValuesSet();
  void aGridGrowsByColumns();
  void missingScaleDeltasAreNaN();
  void poolingKeepsAnOutlierWithItsSign();
  void poolingKeepsMissingValues();
  void poolsOnlyTheVisibleColumns();
  void cellTextsBelowOneAreNotRoundedToOne();
  void poolingKeepsSmallGrids();

  void coloursAroundZeroAreSymmetric() {
    const FigureRange range =
        rangeOf(FigureMap::Colours::AroundZero, {1.0F, -3.0F, kMissing});
    QCOMPARE(range.low, -3.0);
    QCOMPARE(range.high, 3.0);
  }

  void coloursOfMagnitudesBeginAtZero() {
    const FigureRange range = rangeOf(FigureMap::Colours::FromZeroEvenly, {2.0F, 3.0F});
    QCOMPARE(range.low, 0.0);
    QCOMPARE(range.high, 3.0);
    QCOMPARE(rangeOf(FigureMap::Colours::FromZero, {0.0F}).high, 1.0);
  }

  void risingColoursCoverFiniteValues() {
    const FigureRange range =
        rangeOf(FigureMap::Colours::Rising, {kMissing, 2.0F, -1.0F, kInfinity});
    QCOMPARE(range.low, -1.0);
    QCOMPARE(range.high, 2.0);
  }

  void logarithmicColoursHavePositiveEnds() {
    const FigureRange range =
        rangeOf(FigureMap::Colours::RisingLogarithmic, {0.0F, -5.0F, 0.25F, 8.0F});
    QCOMPARE(range.low, 0.25);
    QCOMPARE(range.high, 8.0);
  }

  void colourRangesAreNotEmpty_data() {
    QTest::addColumn<int>("colours");
    QTest::addColumn<float>("value");
    for (int colours = 0; colours <= int(FigureMap::Colours::RisingLogarithmic);
         ++colours)
      for (const float value : {0.0F, -2.0F, 3.0F, kMissing})
        QTest::addRow("%d %g", colours, double(value)) << colours << value;
  }
  void colourRangesAreNotEmpty() {
    QFETCH(int, colours);
    QFETCH(float, value);
    const auto kind = FigureMap::Colours(colours);
    const FigureRange range = rangeOf(kind, {value, value});
    QVERIFY(range.low < range.high);
    QVERIFY(kind != FigureMap::Colours::RisingLogarithmic || range.low > 0.0);
    if (kind == FigureMap::Colours::Rising && value == value)
      QVERIFY(range.low < double(value) && double(value) < range.high);
  }
};

void tst_figure_map::keepsTheValuesSet() {
  HeatGrid grid(3, 4);
  QVERIFY(std::isnan(grid.at(0, 0)));
  grid.set(2, 3, -5.0F);
  QCOMPARE(grid.at(2, 3), -5.0F);
  QCOMPARE(grid.largest(), 5.0F);
  QCOMPARE(HeatGrid().largest(), 0.0F);
}

void tst_figure_map::aGridGrowsByColumns() {
  HeatGrid grid(2, 0);
  grid.addColumn({1.0F, 2.0F});
  grid.addColumn({3.0F});
  grid.addColumn({4.0F, 5.0F, 6.0F});
  QCOMPARE(grid.columns(), 3);
  QCOMPARE(grid.at(1, 0), 2.0F);
  QVERIFY(std::isnan(grid.at(1, 1)));
  QCOMPARE(grid.at(1, 2), 5.0F);
}

void tst_figure_map::missingScaleDeltasAreNaN() {
  StepRecord record = *test::makeRecord(0, {.layers = 3, .width = 8});
  record.layers[1].scaleDelta.resize(2);
  const HeatGrid grid = scaleDeltaGrid(record);
  QCOMPARE(grid.rows(), 3);
  QCOMPARE(grid.columns(), 8);
  QCOMPARE(grid.at(2, 7), record.layers[2].scaleDelta[7]);
  QVERIFY(std::isnan(grid.at(1, 5)));
}

void tst_figure_map::poolingKeepsAnOutlierWithItsSign() {
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

void tst_figure_map::poolingKeepsMissingValues() {
  HeatGrid grid(1, 5);
  grid.set(0, 3, 2.0F);
  const PooledGrid pooled = pool(grid, 0, 5, 5);
  QVERIFY(std::isnan(pooled.grid.at(0, 0)));
  QCOMPARE(pooled.grid.at(0, 3), 2.0F);
}

void tst_figure_map::poolsOnlyTheVisibleColumns() {
  HeatGrid grid(1, 100);
  for (int c = 0; c < 100; ++c) grid.set(0, c, float(c));
  const PooledGrid pooled = pool(grid, 20.0, 30.0, 1000);
  QCOMPARE(pooled.grid.columns(), 10);
  QCOMPARE(pooled.first, 20.0);
  QCOMPARE(pooled.grid.at(0, 0), 20.0F);
  QCOMPARE(pool(grid, 200.0, 300.0, 10).grid.columns(), 0);
  QCOMPARE(pool(grid, -1e12, 1e12, 1000).last, double(grid.columns()));
  QCOMPARE(pool(grid, -50.0, 500.0, 1000).grid.columns(), 100);
}

void tst_figure_map::cellTextsBelowOneAreNotRoundedToOne() {
  FigureMap map{
      .label = "TVD", .grid = HeatGrid(1, 3), .colours = FigureMap::Colours::Rising};
  const auto texts = [&map](const std::vector<float>& values) {
    std::vector<std::string> all;
    for (int column = 0; column < 3; ++column)
      map.grid.set(0, column, values[std::size_t(column)]);
    const FigureRange range = colourRange(map);
    for (int column = 0; column < 3; ++column)
      all.push_back(cellText(range, double(map.grid.at(0, column))));
    return all;
  };
  QCOMPARE(texts({0.999912F, 0.9999996F, 1.0F}),
           (std::vector<std::string>{"1 − 9×10⁻⁵", "1 − 4×10⁻⁷", "1"}));
  QCOMPARE(texts({0.992F, 0.9961F, 0.99412F}),
           (std::vector<std::string>{"0.992", "0.996", "0.994"}));
  QCOMPARE(texts({3.63F, 4.1977F, 3.9F}),
           (std::vector<std::string>{"3.63", "4.2", "3.9"}));
}

void tst_figure_map::poolingKeepsSmallGrids() {
  HeatGrid grid(2, 3);
  grid.set(1, 2, -1.0F);
  const PooledGrid pooled = pool(grid, 0, 3, 400);
  QCOMPARE(pooled.grid.columns(), 3);
  QCOMPARE(pooled.grid.at(1, 2), -1.0F);
}

EQUIPATCH_TEST(tst_figure_map)
#include "tst_figure_map.moc"
