#include <array>
#include <cmath>

#include "tests/support/test_case.h"
#include "ui/chart/axes.h"

using namespace equipatch;

class tst_log_axis : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void zeroFallsOffTheAxis();
  void rangeHoldsAllPositiveValues();
  void narrowRangesAreWidened();
  void hiddenGraphsDoNotCount();
  void nothingHasARangeToo();
};

void tst_log_axis::zeroFallsOffTheAxis() {
  QCOMPARE(logValue(0.25), 0.25);
  QVERIFY(logValue(0.0) > 0.0);
  QVERIFY(logValue(0.0) < 1e-100);
  QVERIFY(logValue(-1.0) < 1e-100);
  QCOMPARE(plottedValue(logValue(0.0)), 0.0);
  QCOMPARE(plottedValue(logValue(0.25)), 0.25);
  QVERIFY(logValue(NAN) < 1e-100);
}

void tst_log_axis::rangeHoldsAllPositiveValues() {
  QCustomPlot plot;
  QCPGraph* graph = plot.addGraph();
  graph->setData({0, 1, 2, 3}, {1e-6, 0.5, logValue(0.0), INFINITY});
  const std::array<const QCPGraph*, 1> graphs = {graph};
  const QCPRange range = logRange(graphs);
  QVERIFY(range.lower < 1e-6 && range.lower > 1e-8);
  QVERIFY(range.upper > 0.5 && range.upper < 5.0);
}

void tst_log_axis::narrowRangesAreWidened() {
  QCustomPlot plot;
  QCPGraph* graph = plot.addGraph();
  graph->setData({0, 1}, {2e-3, 2.1e-3});
  const std::array<const QCPGraph*, 1> graphs = {graph};
  const QCPRange range = logRange(graphs);
  QVERIFY(range.upper / range.lower >= 4.0);
  QVERIFY(range.contains(2e-3) && range.contains(2.1e-3));
}

void tst_log_axis::hiddenGraphsDoNotCount() {
  QCustomPlot plot;
  QCPGraph* shown = plot.addGraph();
  QCPGraph* hidden = plot.addGraph();
  shown->setData({0, 1}, {1.0, 2.0});
  hidden->setData({0}, {1e9});
  hidden->setVisible(false);
  const std::array<const QCPGraph*, 2> graphs = {shown, hidden};
  QVERIFY(logRange(graphs).upper < 1e3);
}

void tst_log_axis::nothingHasARangeToo() {
  const QCPRange range = logRange({});
  QVERIFY(range.lower > 0.0 && range.upper > range.lower);
  QCustomPlot plot;
  makeLogarithmic(plot.yAxis);
  QCOMPARE(plot.yAxis->scaleType(), QCPAxis::stLogarithmic);
}

EQUIPATCH_TEST(tst_log_axis)
#include "tst_log_axis.moc"
