// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/lab_figure.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/figure/figure_json.h"
#include "core/figure/tex/figure_tex.h"
#include "tests/core/figure/lab_results.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::resultOverPicture;
using equipatch::test::someLabResult;

class tst_lab_figure : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void curvesHaveErrorBandsAndDistinctLines() {
    const Figure figure = labFigure(someLabResult());
    QCOMPARE(figure.columns, 2);
    const FigurePanel& panel = figure.panels.at(0);
    QCOMPARE(panel.title, std::string("Loss"));
    QVERIFY(panel.x.counts);
    QVERIFY(panel.x.scale == FigureScale::Linear);
    QVERIFY(panel.y.scale == FigureScale::Logarithmic);
    QCOMPARE(panel.curves[0].lower, (std::vector<double>{3.5, 1.75, 0.875}));
    QCOMPARE(panel.curves[0].upper, (std::vector<double>{4.5, 2.25, 1.125}));
    QVERIFY(panel.curves[1].lower.empty());
    QCOMPARE(panel.curves[0].style, 0);
    QCOMPARE(panel.curves[1].style, 7);  // dotted, because it covers the first curve
    LabResult apart = someLabResult();
    apart.panels[0].curves[1].y[2] = 1.5;
    QCOMPARE(labFigure(apart).panels[0].curves[1].style, 1);
    LabResult three = someLabResult();
    three.panels[0].curves.push_back(three.panels[0].curves[1]);
    for (LabCurve& curve : three.panels[0].curves)
      curve.y[1] = std::numeric_limits<double>::quiet_NaN();  // a gap in each
    // Style 8 is solid and would hide the other two curves; 14 is dashed.
    QCOMPARE(labFigure(three).panels[0].curves[2].style, 14);
  }

  void pointsAreSortedByX() {
    LabResult result = someLabResult();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    LabCurve& curve = result.panels[0].curves[0];
    curve = {.name = "a", .x = {2, nan, 0, 1}, .y = {5, 6, 7, 8}, .error = {1, 1, 1, 2}};
    const FigureCurve drawn = labFigure(result).panels.at(0).curves.at(0);
    QCOMPARE(drawn.x, (std::vector<double>{0, 1, 2}));
    QCOMPARE(drawn.y, (std::vector<double>{7, 8, 5}));
    QCOMPARE(drawn.lower, (std::vector<double>{6, 6, 4}));
    QCOMPARE(drawn.upper, (std::vector<double>{8, 10, 6}));
  }

  /// Labels of counts are 64-bit integers, which cannot hold such values.
  void hugeXValuesAreNotLabelledAsCounts() {
    LabResult result = someLabResult();
    for (LabCurve& curve : result.panels[0].curves) curve.x = {1e19, 2e19, 3e19};
    QVERIFY(!labFigure(result).panels.at(0).x.counts);
  }

  /// Even a single curve has a legend if it has a band, because only the legend says what
  /// the band is.
  void bandsAreExplained() {
    LabResult result = someLabResult();
    const FigurePanel two = labFigure(result).panels.at(0);
    QCOMPARE(two.curves.at(0).name, std::string("with ± standard error"));
    QCOMPARE(two.curves.at(1).name, std::string("without"));
    result.panels[0].curves.pop_back();
    QVERIFY(labFigure(result).panels[0].hasBands());
    QVERIFY(
        figureTex(labFigure(result), {6.75, 0.0}).find("{with $\\pm$ standard error}") !=
        std::string::npos);
    result.panels[0].curves[0].error.clear();
    QVERIFY(!labFigure(result).panels[0].hasBands());
  }

  void mapsKeepTheirLabelsCoordinatesAndValues() {
    const FigurePanel panel = labFigure(someLabResult()).panels.at(1);
    QCOMPARE(panel.y.label, std::string("x₂ (cm)"));
    QVERIFY(!panel.x.counts);
    const FigureMap& map = panel.map.value();
    QCOMPARE(map.label, std::string("|Δ| (nats)"));
    QVERIFY(map.colours == FigureMap::Colours::RisingLogarithmic);
    QCOMPARE(map.grid.rows(), 2);
    QCOMPARE(map.grid.columns(), 3);
    QCOMPARE(map.grid.at(1, 2), 1e-6F);
    QCOMPARE(map.grid.at(0, 1), 2e-7F);
    QCOMPARE(map.x.at(1), -0.5);
    QCOMPARE(map.y.at(1), 2.0);
  }

  void jsonHoldsTheOriginAndMapCoordinates() {
    const auto provenance = nlohmann::json::parse(labFigure(someLabResult()).provenance);
    QCOMPARE(provenance["lab"]["origin"]["seed"].get<int>(), 7);
    QCOMPARE(provenance["lab"]["origin"]["choices"]["steps"].get<int>(), 20);
    QVERIFY(!provenance["lab"].contains("panels"));
    const auto numbers = nlohmann::json::parse(figureJson(labFigure(someLabResult())));
    QCOMPARE(numbers["panels"][1]["map"]["x"]["step"].get<double>(), 1.5);
  }

  void invalidMapsAndNumbersOfCurvesOrPanelsAreRefused() {
    LabResult result = someLabResult();
    result.panels[1].map->x[1] = 0.0;
    QVERIFY_ERROR(labFigure(result), "|Δ|", "evenly", "number 1");
    result.panels[1].map->x = {1.0, 1.0, 1.0};
    QVERIFY_ERROR(labFigure(result), "evenly");
    result.panels[1].map->x[2] = std::numeric_limits<double>::quiet_NaN();
    QVERIFY_ERROR(labFigure(result), "evenly");
    result.panels[1].map->x = {2e-7, 1e-7, 0.0};
    QVERIFY_ERROR(labFigure(result), "number 0 is 2e-07");
    for (const double place : {std::numeric_limits<double>::quiet_NaN(), 1e306}) {
      result.panels[1].map = LabMap{.label = "one", .x = {place}, .y = {0.0}};
      result.panels[1].map->values = {5.0};
      QVERIFY_ERROR(labFigure(result), "within ±1e200, but number 0 is");
    }
    result = someLabResult();
    result.panels[0].curves.resize(200, result.panels[0].curves[0]);
    QCOMPARE(labFigure(result).panels[0].curves.size(), std::size_t{200});
    result.panels[0].curves.resize(201);
    QVERIFY_ERROR(labFigure(result), "200 curves", "found 201");
    result.panels.clear();
    QVERIFY_ERROR(labFigure(result), "theorem", "found 0");
    result.panels.resize(201);
    QVERIFY_ERROR(labFigure(result), "found 201");
  }

  void drawsOnePanel() {
    const Figure figure = labFigure(someLabResult(), 2);
    QCOMPARE(figure.panels.size(), std::size_t{1});
    QCOMPARE(figure.panels[0].title, std::string("Difference"));
    QCOMPARE(figure.columns, 1);
    QVERIFY_ERROR(labFigure(someLabResult(), 3), "from 1 to 2", "found 3");
    QVERIFY_ERROR(labFigure(someLabResult(), 0), "found 0");
  }

  /// The picture is also a panel of its own, the first, which has no number.
  void mapsLieOverTheirPicture() {
    const Figure figure = labFigure(resultOverPicture());
    QCOMPARE(figure.panels.size(), std::size_t{2});
    QCOMPARE(figure.columns, 2);
    QCOMPARE(figure.panels[0].pictures.at(0).rgb.back(), 170);
    QCOMPARE(figure.panels[0].title, std::string("flag.ppm"));
    const FigurePanel& panel = figure.panels[1];
    QVERIFY(panel.y.downwards && !panel.x.downwards);
    QCOMPARE(panel.under->width, 3);
    QCOMPARE(panel.map->grid.at(0, 1), 5.0F);
    const Figure one = labFigure(resultOverPicture(), 1);
    QCOMPARE(one.panels.size(), std::size_t{1});
    QCOMPARE(one.panels[0].title, std::string("Kept"));
    const Figure again = onePanel(figure, resultOverPicture(), 1);
    QVERIFY(again.panels[0].under == panel.under);  // not decoded again
    QCOMPARE(figureJson(again), figureJson(one));
    QVERIFY_ERROR(labFigure(resultOverPicture(), 2), "from 1 to 1", "found 2");

    const auto json = nlohmann::json::parse(figureJson(figure));
    QVERIFY(!json["provenance"]["lab"].contains("picture"));  // too large
    QCOMPARE(json["panels"][1]["y"]["direction"].get<std::string>(), std::string("down"));
    QCOMPARE(json["panels"][1]["under"]["width"].get<int>(), 3);

    LabResult without = resultOverPicture();
    without.picture.reset();
    QCOMPARE(labFigure(without).panels.size(), std::size_t{1});
    without.picture = LabPicture{"cut.ppm", "P6 3 2 255\nabc"};
    QVERIFY_ERROR(labFigure(without), "cut.ppm", "cut off");
  }

  void emptyMapsAndSingleCellsAreAccepted() {
    LabResult result = someLabResult();
    result.panels[1].map =
        LabMap{.label = "one", .x = {3.0}, .y = {4.0}, .values = {5.0}};
    QCOMPARE(labFigure(result).panels[1].map->x.at(0), 3.0);
    result.panels[1].map = LabMap{.label = "none"};
    QVERIFY(labFigure(result).panels[1].map->grid.empty());
  }
};

EQUIPATCH_TEST(tst_lab_figure)
#include "tst_lab_figure.moc"
