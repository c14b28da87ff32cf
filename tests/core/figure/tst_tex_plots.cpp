// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/tex/tex_plots.h"

#include <QString>
#include <cmath>

#include "core/figure/panel_range.h"
#include "core/figure/run_figures.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

using Points = std::vector<double>;

QString plotsOf(const FigurePanel& panel) {
  return QString::fromStdString(texPlots(panel));
}

QString placeOfZero(const FigurePanel& panel) {
  return QString::fromStdString(texNumber(texZero(panel)));
}

}  // namespace

class tst_tex_plots : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void numbersAreRoundedToSixDigits() {
    QCOMPARE(texNumber(0.1), std::string("0.1"));
    QCOMPARE(texNumber(1.0 / 3.0), std::string("0.333333"));
  }

  void exactZerosLieAtTheLowerEnd() {
    FigurePanel panel;
    panel.y.scale = FigureScale::Logarithmic;
    panel.curves = {{.name = "a", .x = {0, 1}, .y = {0.0, 2.0}}};
    const FigureRange range = valueRange(panel);
    QVERIFY(range.low < texZero(panel) && texZero(panel) < 1.0);
    const QString text = plotsOf(panel);
    QCOMPARE(text.count("(0," + placeOfZero(panel) + ")"), 2);  // curve and open mark
    QVERIFY(text.contains("mark options={fill=white}"));
    QVERIFY(text.contains("\\addlegendimage{only marks"));
    panel.y.scale = FigureScale::Linear;
    QCOMPARE(texZero(panel), 0.0);
    QVERIFY(plotsOf(panel).contains("(0,0)"));
    QVERIFY(!plotsOf(panel).contains("fill=white"));
  }

  /// A layer that lacks a matrix of the patch has NaN; logits that overflow give ∞.
  void aBandEndsAtAGap() {
    for (const double gap : {double(NAN), double(INFINITY)}) {
      FigurePanel panel;
      panel.curves = {{.name = "a", .x = {0, 1, 2, 3}, .y = {2, 2, NAN, 2}}};
      panel.curves[0].lower = {1, 1, NAN, 1};
      panel.curves[0].upper = {3, 4, gap, 3};
      if (gap > 0.0) panel.curves[0].lower[2] = 1;
      const QString text = plotsOf(panel);
      QVERIFY(text.contains("{\n  (0,1) (1,1) (1,4) (0,3)\n} -- cycle;"));
      QVERIFY(text.contains("{\n  (3,1) (3,3)\n} -- cycle;"));
      QCOMPARE(text.count("nan"), 1);  // in the curve
      QVERIFY(!text.contains("inf"));
    }
  }

  void zerosOfBoxesLieAtTheLowerEnd() {
    const FigurePanel panel =
        distancePanel({{.name = "a", .low = 0.0, .median = 1.0, .high = 2.0}});
    const QString text = plotsOf(panel);
    QVERIFY(text.contains("lower whisker=" + placeOfZero(panel)));
    QVERIFY(text.contains("fill=white"));
    // pgfplots would read an empty table as a file's name.
    QVERIFY(text.contains("coordinates {}"));
    QVERIFY(!text.contains("table["));
  }

  /// pgfplots would draw infinite quantiles at the lower end of the axis.
  void quantilesThatAreNotFiniteAreLeftOut() {
    FigureBox box{.low = 1.0, .lowerQuartile = 2.0, .median = 3.0, .upperQuartile = 4.0};
    box.high = INFINITY;
    const QString text = plotsOf(distancePanel({box}));
    QVERIFY2(text.contains(", lower whisker=1, lower quartile=2, median=3, "
                           "upper quartile=4}"),
             qPrintable(text));
    box.upperQuartile = INFINITY;  // pgfplots fails for a whisker without a box
    QVERIFY(plotsOf(distancePanel({box})).contains("box extend=0.56, median=3}"));
    box.low = box.lowerQuartile = box.median = box.upperQuartile = box.high = NAN;
    QVERIFY(plotsOf(distancePanel({box})).contains("box extend=0.56}"));
  }

  void symbolsOfMarksHaveDifferentShapes() {
    FigurePanel panel;
    panel.marks = {{.name = "a", .x = {1}, .y = {2.0}},
                   {.symbol = FigureMarks::Symbol::SampledDifference,
                    .name = "b",
                    .x = {3},
                    .y = {4.0}}};
    QVERIFY(plotsOf(panel).contains("mark=x, "));
    QVERIFY(plotsOf(panel).contains("mark=diamond, "));  // open, around the ✗
  }

  void manyPointsHaveNoMarks() {
    FigurePanel panel;
    panel.curves = {{.name = "a", .x = {0, 1}, .y = {1, 2}}};
    QVERIFY(plotsOf(panel).contains("mark=*"));
    panel.curves[0].dense = true;
    QVERIFY(plotsOf(panel).contains("mark=none"));
    panel.curves[0].x = panel.curves[0].y = {1};  // a lone point needs a mark
    QVERIFY(plotsOf(panel).contains("mark=*"));
    panel.curves[0] = {.name = "a", .x = Points(61, 1.0), .y = Points(61, 1.0)};
    QVERIFY(plotsOf(panel).contains("mark=none"));
    panel.curves[0] = {.look = FigureCurve::Look::Noise, .x = {0}, .y = {1}};
    QVERIFY(!plotsOf(panel).contains("mark=none"));
  }

  void quantitiesHaveTheirMarks() {
    using Look = FigureCurve::Look;
    FigurePanel panel;
    const auto textOf = [&panel](Look look, bool besideRuns) {
      FigureCurve curve{.look = look, .style = 4, .x = {0, 1}, .y = {1, 2}};
      curve.besideRuns = besideRuns;
      panel.curves = {curve};
      return plotsOf(panel);
    };
    for (const bool besideRuns : {false, true}) {
      QVERIFY(textOf(Look::Patched, besideRuns).contains(", mark=*, "));
      QVERIFY(textOf(Look::Distribution, besideRuns).contains(", mark=square*, "));
      QVERIFY(textOf(Look::Probability, besideRuns).contains(", mark=triangle*, "));
      QVERIFY(textOf(Look::Noise, besideRuns).contains(", mark=none"));
    }
    panel.curves = {{.style = 8, .dense = true, .x = {0}, .y = {1}}};
    QVERIFY(plotsOf(panel).contains(", mark=*, "));
    QVERIFY(!plotsOf(panel).contains("fill=white"));  // a white dot is an exact zero
  }

  void referenceCurvesBesideRunsHaveDifferentLines() {
    using Look = FigureCurve::Look;
    QStringList texts;
    for (const Look look :
         {Look::Bare, Look::Ablated, Look::Margin, Look::Noise, Look::Audit}) {
      FigurePanel panel;
      panel.curves = {{.look = look, .dense = true, .x = {0, 1}, .y = {1, 2}}};
      panel.curves[0].besideRuns = true;
      const QString text = plotsOf(panel);
      QVERIFY2(text.startsWith("\\addplot[gray, "), qPrintable(text));
      QVERIFY2(!texts.contains(text), qPrintable(text));
      texts << text;
    }
  }

  void quantitiesOfOneRunHaveDifferentLines() {
    using Look = FigureCurve::Look;
    QStringList lines;
    for (const Look look : {Look::Patched, Look::Distribution, Look::Bare, Look::Ablated,
                            Look::Margin, Look::Noise, Look::Audit}) {
      FigurePanel panel;
      panel.curves = {{.look = look, .dense = true, .x = {0, 1}, .y = {1, 2}}};
      const QString line = plotsOf(panel).section(QStringLiteral(", "), 1, 1);
      QVERIFY2(!lines.contains(line), qPrintable(line));
      lines << line;
    }
  }

  /// In pgfplots, a second `mark options` would replace the first.
  void markOptionsAreWrittenOnce() {
    FigurePanel panel;
    panel.curves = {{.style = 17, .x = {0, 1}, .y = {1, 2}}};  // ▽ on a dashed line
    QVERIFY2(plotsOf(panel).contains("mark=triangle*, mark size=1pt, "
                                     "mark options={solid, rotate=180, fill=white}]"),
             qPrintable(plotsOf(panel)));
  }

  void quantitiesHaveTheirColours() {
    using Look = FigureCurve::Look;
    FigurePanel panel;
    const std::pair<Look, const char*> expected[] = {{Look::Patched, "equipatch0"},
                                                     {Look::Distribution, "equipatch2"},
                                                     {Look::Probability, "equipatch1"}};
    for (const auto& [look, colour] : expected) {
      FigurePanel alone;
      alone.curves = {{.look = look, .x = {0}, .y = {1.0}}};
      QVERIFY2(plotsOf(alone).contains(colour), colour);
      QCOMPARE(plotsOf(alone).count("equipatch"), plotsOf(alone).count(colour));
      panel.curves.push_back(alone.curves.front());
    }
    panel.curves[2].onRight = true;
    QVERIFY(texRightPlots(panel).find("equipatch1") != std::string::npos);
    QVERIFY(texRightPlots(panel).find("equipatch0") == std::string::npos);
  }

  /// pgfplots refuses a matrix plot of a single row or column.
  void aSingleRowOrColumnIsDrawnAsTwoHalves() {
    FigurePanel panel;
    panel.map = FigureMap{.label = "m", .grid = HeatGrid(1, 0)};
    panel.map->colours = FigureMap::Colours::Rising;
    for (const float value : {1.0F, 2.0F, 3.0F}) panel.map->grid.addColumn({value});
    QVERIFY(plotsOf(panel).contains(
        "\n0 -0.25 1\n1 -0.25 2\n2 -0.25 3\n0 0.25 1\n1 0.25 2\n2 0.25 3\n}"));
    panel.map->grid = HeatGrid(2, 0);
    panel.map->grid.addColumn({1.0F, 2.0F});
    QVERIFY(plotsOf(panel).contains("mesh/cols=2]"));
    QVERIFY(plotsOf(panel).contains("\n-0.25 0 1\n0.25 0 1\n-0.25 1 2\n0.25 1 2\n}"));
  }

  void logarithmicMapsArePlottedAsExponents() {
    FigureMap map{.label = "m",
                  .grid = HeatGrid(1, 0),
                  .colours = FigureMap::Colours::RisingLogarithmic};
    map.grid.addColumn({1e-3F});
    map.grid.addColumn({10.0F});
    QVERIFY(hasTexPowers(map));
    QVERIFY(std::abs(texColours(map).low + 3.0) < 1e-6);
    map.colours = FigureMap::Colours::Rising;
    QVERIFY(!hasTexPowers(map));
    QCOMPARE(texColours(map).high, 10.0);
  }
};

EQUIPATCH_TEST(tst_tex_plots)
#include "tst_tex_plots.moc"
