// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/panel_range.h"

#include <cmath>
#include <limits>

#include "core/figure/run_figures.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

FigurePanel panelWith(std::vector<double> y, FigureScale scale) {
  FigurePanel panel;
  panel.y.scale = scale;
  FigureCurve curve;
  for (std::size_t i = 0; i < y.size(); ++i) curve.x.push_back(double(i));
  curve.y = std::move(y);
  panel.curves.push_back(curve);
  return panel;
}

bool contains(const FigureRange& range, double value) {
  return range.low < value && value < range.high;
}

}  // namespace

class tst_panel_range : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void mapsOfEqualRangesAreSquare() {
    FigurePanel panel;
    QVERIFY(!isSquareMap(panel));
    panel.map = FigureMap{.label = "m", .grid = HeatGrid(3, 3)};
    QVERIFY(isSquareMap(panel));
    panel.map->y = {0.0, 2.0};
    QVERIFY(!isSquareMap(panel));
    panel.map->grid = HeatGrid(3, 5);
    QVERIFY(!isSquareMap(panel));
  }

  void logarithmicRangesContainPositiveFiniteValues() {
    const FigureRange range =
        valueRange(panelWith({1e-6, std::numeric_limits<double>::infinity(), -1.0, 3.0},
                             FigureScale::Logarithmic));
    QVERIFY(range.low > 1e-7 && range.low < 1e-6);
    QVERIFY(range.high > 3.0 && range.high < 10.0);
  }

  void aBoxIsDrawnWithoutInfinitiesAndLogarithmicZeros() {
    FigureBox box{.low = 0.0,
                  .lowerQuartile = 0.5,
                  .median = 1.0,
                  .upperQuartile = 2.0,
                  .high = std::numeric_limits<double>::infinity()};
    QVERIFY(drawnValues(box, FigureScale::Linear) ==
            std::optional(FigureRange{0.0, 2.0}));
    QVERIFY(drawnValues(box, FigureScale::Logarithmic) ==
            std::optional(FigureRange{0.5, 2.0}));
    box.low = box.lowerQuartile = box.median = box.upperQuartile = box.high;
    QVERIFY(!drawnValues(box, FigureScale::Linear));
  }

  void zerosHaveAPlaceBelowOtherValues() {
    const FigurePanel panel = panelWith({0.0, 1e-6, 3.0}, FigureScale::Logarithmic);
    const FigureRange range = valueRange(panel);
    QVERIFY(hasZeros(panel) && hasZeros(panel, panel.curves[0]));
    const double zero = zeroPlace(range, leastAboveZero(panel));
    QVERIFY(range.low < zero);
    QVERIFY(zero < firstPlaceAboveZero(range, 12.0));
    QVERIFY(firstPlaceAboveZero(range, 12.0) < 1e-6);
    // The fewer labels fit along the axis, the wider is the gap.
    QVERIFY(firstPlaceAboveZero(range, 3.0) > firstPlaceAboveZero(range, 12.0));
    // Zeros are well below the smallest positive value.
    QVERIFY(std::log(1e-6 / zero) > 0.05 * std::log(range.high / range.low));
    QVERIFY(!hasZeros(panelWith({1.0}, FigureScale::Logarithmic)));
    QVERIFY(!hasZeros(panelWith({0.0}, FigureScale::Linear)));
    QVERIFY(valueRange(panelWith({0.0}, FigureScale::Logarithmic)).low > 0.0);
  }

  /// A stranger's file may hold such numbers.
  void extremeNumbersHaveAFiniteRange() {
    const FigurePanel panel =
        panelWith({0.0, 1e-250, 1e-199, 1e39, 1e250}, FigureScale::Logarithmic);
    const FigureRange range = valueRange(panel);
    QVERIFY(range.low > 0.0 && range.low < 1e-199);
    QVERIFY(range.high > 1e39 && std::isfinite(range.high / range.low));
    const double zero = zeroPlace(range, leastAboveZero(panel));
    QVERIFY(range.low < zero);
    QVERIFY(zero < firstPlaceAboveZero(range, 12.0));
    QVERIFY(firstPlaceAboveZero(range, 12.0) < 1e-199);
  }

  void zeroIsNotAboveAnyValueInTheRange() {
    FigurePanel panel = panelWith({0.0, 1e-6, 3.0}, FigureScale::Logarithmic);
    for (const double low : {1e-12, 0.9e-6, 1e-6, 1.2e-6, 1e-3, 2.9}) {
      panel.y.limits = FigureRange{low, 10.0};
      const FigureRange range = valueRange(panel);
      const double zero = zeroPlace(range, leastAboveZero(panel));
      QVERIFY(zero >= range.low && zero < range.high);
      for (const double value : panel.curves[0].y)
        if (value >= range.low) QVERIFY(zero <= value);
    }
    panel.y.limits.reset();
    panel.curves[0].upper = {2.0, 3.0, 4.0};
    panel.curves[0].lower = {1e-9, 1e-7, 1.0};
    QVERIFY(zeroPlace(valueRange(panel), leastAboveZero(panel)) < 1e-9);
  }

  /// The whisker of box a begins at 0; the values of box b are larger than those of a.
  void boxesFromZeroAreFullyVisible() {
    const FigurePanel panel = distancePanel({{.name = "a",
                                              .low = 0.0,
                                              .lowerQuartile = 0.0024,
                                              .median = 0.0052,
                                              .upperQuartile = 0.0093,
                                              .high = 0.018},
                                             {.name = "b",
                                              .low = 0.02,
                                              .lowerQuartile = 0.02,
                                              .median = 0.03,
                                              .upperQuartile = 0.04,
                                              .high = 0.05}});
    const FigureRange range = keyRange(panel);
    const double zero = zeroPlace(range, leastAboveZero(panel));
    QVERIFY(range.low < zero && zero < 0.0024);
    QVERIFY(firstPlaceAboveZero(range, 12.0) < 0.0024);
  }

  /// A band that begins at 0 needs a place for zeros, but no open mark.
  void bandsFromZeroHaveAPlaceForZeros() {
    FigurePanel panel = panelWith({0.1, 0.2}, FigureScale::Logarithmic);
    panel.curves[0].lower = {0.0, 0.1};
    panel.curves[0].upper = {0.2, 0.4};
    QVERIFY(hasZeros(panel) && !explainsZeros(panel));
    QVERIFY(!hasZeros(panel, panel.curves[0]));
    const FigureRange range = valueRange(panel);
    QVERIFY(zeroPlace(range, leastAboveZero(panel)) < 0.1);
  }

  void emptyPanelsAndSingleValuesHaveARange() {
    const FigureRange none = valueRange(panelWith({}, FigureScale::Logarithmic));
    QVERIFY(none.low > 0.0 && none.low < none.high);
    const FigureRange one = valueRange(panelWith({2.0}, FigureScale::Linear));
    QVERIFY(one.low < one.high);
    QVERIFY(valueRange(panelWith({2.0}, FigureScale::Logarithmic)).high >= 4.0);
  }

  void eachAxisShowsItsCurves() {
    FigurePanel panel = panelWith({1.0, 2.0}, FigureScale::Linear);
    panel.right = FigureAxis{.label = "right"};
    panel.curves.push_back({.onRight = true, .x = {0, 1}, .y = {90.0, 100.0}});
    QVERIFY(valueRange(panel).high < 10.0);
    QVERIFY(contains(rightRange(panel), 90.0) && contains(rightRange(panel), 100.0));
    QVERIFY(rightRange(panel).low > 50.0);
  }

  void chosenLimitsAreUsed() {
    FigurePanel panel = panelWith({1.0, 2.0}, FigureScale::Linear);
    panel.x.limits = FigureRange{-3.0, 7.0};
    panel.y.limits = FigureRange{0.0, 100.0};
    panel.right = FigureAxis{.limits = FigureRange{0.0, 1.0}};
    QCOMPARE(keyRange(panel), (FigureRange{-3.0, 7.0}));
    QCOMPARE(valueRange(panel), (FigureRange{0.0, 100.0}));
    QCOMPARE(rightRange(panel), (FigureRange{0.0, 1.0}));
  }

  void rangesContainBandsAndMarks() {
    FigurePanel panel = panelWith({1.0, 1.0}, FigureScale::Linear);
    panel.curves[0].lower = {0.0, -5.0};
    panel.marks.push_back({.name = "marks", .x = {4.0}, .y = {9.0}});
    QVERIFY(contains(valueRange(panel), -5.0) && contains(valueRange(panel), 9.0));
    panel.x.counts = true;
    QCOMPARE(keyRange(panel), (FigureRange{-0.5, 4.5}));
  }

  void measuredXValuesHaveAMargin() {
    FigurePanel panel = panelWith({1.0, 1.0}, FigureScale::Linear);
    panel.curves[0].x = {0.1, 0.2};
    QVERIFY(keyRange(panel).low > 0.05 && keyRange(panel).low < 0.1);
    panel.x.scale = FigureScale::Logarithmic;
    panel.curves[0].x = {0.0, 10.0};
    QVERIFY(keyRange(panel).low > 0.0 && keyRange(panel).high > 10.0);
  }

  void mapsAreShownToTheirEdges() {
    FigurePanel panel;
    panel.map = FigureMap{
        .label = "map", .grid = HeatGrid(2, 5), .x = {-2.0, 1.0}, .y = {0.0, 0.5}};
    QCOMPARE(keyRange(panel), (FigureRange{-2.5, 2.5}));
    QCOMPARE(valueRange(panel), (FigureRange{-0.25, 0.75}));
  }

  void boxesHaveTheirValuesAlongX() {
    const FigureBox box{.low = 1e-3, .high = 1.0, .outliers = {1e-5, 4.0}};
    const FigurePanel panel = distancePanel({box, box, box});
    QCOMPARE(valueRange(panel), (FigureRange{-0.5, 2.5}));
    QVERIFY(contains(keyRange(panel), 1e-5) && contains(keyRange(panel), 4.0));
    QVERIFY(!hasZeros(panel));
    QVERIFY(hasZeros(distancePanel({box, {.low = 0.0, .high = 1.0}})));
  }

  void percentAxesEndAtAHundred() {
    const FigurePanel panel = sharePanel({{.equal = {3, 4}}, {.equal = {4, 4}}});
    QCOMPARE(keyRange(panel), (FigureRange{0.0, 100.0}));
  }

  void detectsEmptyPanels() {
    QVERIFY(!hasValues({}));
    QVERIFY(!hasValues(panelWith({NAN, INFINITY}, FigureScale::Linear)));
    QVERIFY(hasValues(panelWith({NAN, 0.0}, FigureScale::Linear)));
    FigurePanel map;
    map.map = FigureMap{.label = "Δm", .grid = HeatGrid(2, 0)};
    QVERIFY(!hasValues(map));
    map.map->grid.addColumn({1.0F, 2.0F});
    QVERIFY(hasValues(map));
    QVERIFY(hasValues(distancePanel({{}})));
  }
};

EQUIPATCH_TEST(tst_panel_range)
#include "tst_panel_range.moc"
