// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/panel_drawing.h"

#include "core/figure/panel_range.h"
#include "core/figure/run_figures.h"
#include "core/figure/step_panels.h"
#include "tests/support/test_case.h"
#include "ui/chart/axes.h"

using namespace equipatch;

class tst_panel_drawing : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void onlyNewPointsAreAdded() {
    QCustomPlot plot;
    setUpAxis({.scale = FigureScale::Logarithmic}, *plot.yAxis);
    plot.yAxis->setRange(1e-4, 10.0);
    QCPGraph& graph = *plot.addGraph();
    addPoints({0, 1}, {0.5, 0.0}, graph);
    addPoints({0, 1, 2, 3}, {7.0, 7.0, 8.0, -1.0}, graph);
    QCOMPARE(graph.dataCount(), 4);
    QCOMPARE(graph.dataMainValue(0), 0.5);
    QCOMPARE(graph.dataMainValue(1), zeroOn(*plot.yAxis));
    QCOMPARE(graph.dataMainValue(2), 8.0);
    QVERIFY(graph.dataMainValue(3) < 1e-100);  // below the axis
  }

  void zerosAloneAreAdded() {
    QCustomPlot plot;
    makeLogarithmic(plot.yAxis);
    plot.yAxis->setRange(1e-4, 10.0);
    QCPGraph& graph = *plot.addGraph();
    addZeros({.x = {0, 1, 2}, .y = {1.0, 0.0, 2.0}}, graph);
    QCOMPARE(graph.dataCount(), 1);
    QCOMPARE(graph.dataMainKey(0), 1.0);
    QVERIFY(plot.yAxis->range().contains(graph.dataMainValue(0)));
  }

  void axesAndRangesAreThePanels() {
    const FigurePanel panel = strengthPanel({});
    QCustomPlot plot;
    setUpAxes(panel, *plot.axisRect());
    setRanges(panel, *plot.axisRect());
    QVERIFY(plot.yAxis2->visible() && plot.yAxis2->tickLabels());
    QCOMPARE(plot.yAxis2->label(), QStringLiteral("probability"));
    QCOMPARE(plot.yAxis2->range().upper, rightRange(panel).high);
    QCOMPARE(plot.xAxis->range().upper, keyRange(panel).high);
  }

  void rowsGoDownwards() {
    QCustomPlot plot;
    const FigurePanel panel = sharePanel({{.equal = {1, 2}}});
    setUpAxes(panel, *plot.axisRect());
    setRanges(panel, *plot.axisRect());
    QVERIFY(plot.yAxis->rangeReversed() && !plot.yAxis->ticks());
    QCOMPARE(plot.xAxis->range(), QCPRange(0.0, 100.0));
    setUpAxes({}, *plot.axisRect());
    QVERIFY(!plot.yAxis->rangeReversed() && plot.yAxis->ticks());
  }
};

EQUIPATCH_TEST(tst_panel_drawing)
#include "tst_panel_drawing.moc"
