// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/panel_drawing.h"

#include <limits>

#include "tests/support/test_case.h"
#include "ui/chart/axes.h"

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

}  // namespace

class tst_panel_drawing : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void showsEveryPositiveNumber() {
    const QCPRange range =
        valueRange(panelWith({0.0, 1e-6, std::numeric_limits<double>::infinity(), 3.0},
                             FigureScale::Logarithmic));
    QVERIFY(range.lower > 0 && range.lower < 1e-6 && range.upper > 3.0);
    QVERIFY(range.lower > 1e-7 && range.upper < 10.0);
  }

  void nothingStillHasARange() {
    QVERIFY(valueRange(panelWith({}, FigureScale::Logarithmic)).size() > 0);
    QVERIFY(valueRange(panelWith({2.0}, FigureScale::Linear)).size() > 0);
    QVERIFY(valueRange(panelWith({2.0}, FigureScale::Logarithmic)).upper >= 4.0);
  }

  void curvesOfTheRightAxisDoNotCount() {
    FigurePanel panel = panelWith({1.0, 2.0}, FigureScale::Linear);
    panel.curves.push_back({.onRight = true, .x = {0, 1}, .y = {90.0, 100.0}});
    QVERIFY(valueRange(panel).upper < 10.0);
  }

  void onlyNewPointsAreAdded() {
    QCustomPlot plot;
    setUpAxis({.scale = FigureScale::Logarithmic}, *plot.yAxis);
    QCPGraph& graph = *plot.addGraph();
    addPoints({0, 1}, {0.5, 0.0}, graph);
    addPoints({0, 1, 2}, {7.0, 7.0, 8.0}, graph);
    QCOMPARE(graph.dataCount(), 3);
    QCOMPARE(graph.dataMainValue(0), 0.5);
    QVERIFY(graph.dataMainValue(1) < 1e-100);  // zero lies below the axis
    QCOMPARE(graph.dataMainValue(2), 8.0);
  }

  void bandsAndMarksFitToo() {
    FigurePanel panel = panelWith({1.0, 1.0}, FigureScale::Linear);
    panel.curves[0].lower = {0.0, -5.0};
    panel.marks.push_back({"marks", {4.0}, {9.0}});
    QVERIFY(valueRange(panel).contains(-5.0) && valueRange(panel).contains(9.0));
    panel.x.counts = true;
    QCOMPARE(keyRange(panel), QCPRange(-0.5, 4.5));
  }

  void measuredKeysHaveAMargin() {
    FigurePanel panel = panelWith({1.0, 1.0}, FigureScale::Linear);
    panel.curves[0].x = {0.1, 0.2};
    QVERIFY(keyRange(panel).lower > 0.05 && keyRange(panel).lower < 0.1);
    panel.x.scale = FigureScale::Logarithmic;
    panel.curves[0].x = {0.0, 10.0};
    QVERIFY(keyRange(panel).lower > 0.0 && keyRange(panel).upper > 10.0);
  }

  void mapsAreShownToTheirEdges() {
    FigurePanel panel;
    panel.map = FigureMap{
        .label = "map", .grid = HeatGrid(2, 5), .x = {-2.0, 1.0}, .y = {0.0, 0.5}};
    QCOMPARE(keyRange(panel), QCPRange(-2.5, 2.5));
    QCOMPARE(valueRange(panel), QCPRange(-0.25, 0.75));
  }

  void barsBeginAtZero() {
    FigurePanel panel;
    panel.bars.push_back({.x = 0.0, .value = 100.0});
    QCOMPARE(valueRange(panel).lower, 0.0);
    QVERIFY(valueRange(panel).upper > 105.0);
  }
};

EQUIPATCH_TEST(tst_panel_drawing)
#include "tst_panel_drawing.moc"
