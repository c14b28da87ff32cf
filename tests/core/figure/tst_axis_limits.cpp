// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/axis_limits.h"

#include <cmath>

#include "core/figure/caption_measures.h"
#include "core/figure/figure_caption.h"
#include "core/figure/figure_kind.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

Figure someFigure() {
  const auto log = [](const char* label) {
    return FigureAxis{.label = label, .scale = FigureScale::Logarithmic};
  };
  FigurePanel first, second, rows, map;
  first.x = second.x = {.label = "step", .counts = true};
  first.y = log("L∞ of the logits");
  second.y = log("total variation");
  second.right = FigureAxis{.label = "probability"};
  rows.x = log("L∞ of the logits");
  rows.boxes = {{.name = "a",
                 .low = 1.0,
                 .lowerQuartile = 1.0,
                 .median = 1.5,
                 .upperQuartile = 2.0,
                 .high = 2.0}};
  map.x = {.label = "channel"};
  map.y = {.label = "layer"};
  map.map.emplace();
  return {.kind = "any", .title = {}, .panels = {first, second, rows, map}};
}

Figure limited(const std::string& text) {
  Figure figure = someFigure();
  setLimits(figure, parseAxisLimits(text));
  return figure;
}

using Range = std::optional<FigureRange>;

}  // namespace

class tst_axis_limits : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void limitsAreParsedFromText() {
    QVERIFY(parseAxisLimits("").empty() && parseAxisLimits("  ").empty());
    QVERIFY(parseAxisLimits("y=1e-6:10, total var = -1 : 2.5") ==
            (std::vector<AxisLimits>{{"y", {1e-6, 10.0}}, {"total var", {-1.0, 2.5}}}));
  }

  void malformedLimitsAreQuoted() {
    for (const char* text : {"y", "y=1", "=1:2", "y=2:1", "y=1:1", "y=a:2",
                             "y=1:", "y=nan:1", "y=0:inf", "y:1=2", "y=1:2:3"})
      QVERIFY_ERROR(parseAxisLimits(text), QString("found \"%1\"").arg(text));
    QVERIFY_ERROR(parseAxisLimits("y=1:2,"), "found \"\"");
  }

  void axesAreNamedByWordOrLabel() {
    const Figure byWord = limited("x=1:5,y=0.1:2");
    const Range x = FigureRange{1.0, 5.0}, y = FigureRange{0.1, 2.0};
    QVERIFY(byWord.panels[0].x.limits == x && byWord.panels[1].x.limits == x &&
            byWord.panels[2].x.limits == x);
    QVERIFY(byWord.panels[0].y.limits == y && byWord.panels[1].y.limits == y);
    QVERIFY(!byWord.panels[1].right->limits && !byWord.panels[2].y.limits);
    QVERIFY(!byWord.panels[3].x.limits && !byWord.panels[3].y.limits);
    const Figure byLabel = limited("Linf=0.1:2,prob=0:1");
    QVERIFY(byLabel.panels[0].y.limits == y && byLabel.panels[2].x.limits == y);
    QVERIFY(!byLabel.panels[0].x.limits && !byLabel.panels[1].y.limits);
    QVERIFY(byLabel.panels[1].right->limits == Range(FigureRange{0.0, 1.0}));
    QVERIFY(limited("right=0:1").panels[1].right->limits);
  }

  void theCaptionNamesCurvesOutsideTheLimits() {
    Figure figure{.panels = {{.x = {.label = "step"},
                              .y = {.label = "L∞"},
                              .curves = {{.name = "high", .x = {0, 1}, .y = {2, 3}},
                                         {.name = "low", .x = {0, 1}, .y = {0.1, 0.2}}}}},
                  .caption = "Figure."};
    setLimits(figure, parseAxisLimits("y=0:9"));
    QCOMPARE(figure.caption, std::string("Figure."));
    setLimits(figure, parseAxisLimits("y=1:9"));
    QCOMPARE(figure.caption,
             std::string("Figure. Outside the limits of the axes of a panel: “low”."));
    figure.caption = "Figure.";
    figure.panels[0].curves[1].y = {NAN, INFINITY};  // never drawn
    setLimits(figure, parseAxisLimits("y=1:9"));
    QCOMPARE(figure.caption, std::string("Figure."));
    QVERIFY_ERROR(setLimits(figure, parseAxisLimits("y=4:9")), "no value of a curve");
  }

  void theCaptionDoesNotCallEqualRangesDifferent() {
    const std::vector<FigureRun> runs{test::figureRun("a", 3), test::figureRun("b", 3)};
    Figure figure = makeFigure(FigureKind::PatchNorms, runs, {});
    figure.panels[1].curves[0].y[0] = 1e4;
    figure.caption = captionOf(figure, runs);
    QVERIFY(figure.caption.find(kOtherRanges) != std::string::npos);
    setLimits(figure, parseAxisLimits("x=0:3"));
    QVERIFY(figure.caption.find(kOtherRanges) != std::string::npos);
    setLimits(figure, parseAxisLimits("patch=1e-6:1e6"));
    QVERIFY(figure.caption.find(kOtherRanges) == std::string::npos);
  }

  void limitsThatCutRowsAreRefused() {
    Figure figure = someFigure();
    figure.panels = {figure.panels[2]};
    figure.panels[0].boxes = {{.name = "run",
                               .low = 0.2,
                               .lowerQuartile = 0.3,
                               .median = 0.4,
                               .upperQuartile = 0.5,
                               .high = 0.6,
                               .outliers = {0.7}}};
    setLimits(figure, parseAxisLimits("x=0.2:0.7"));
    QVERIFY_ERROR(setLimits(figure, parseAxisLimits("x=0.2:0.6")), "\"run\"", "0.7");
    figure.panels[0].boxes[0].low = 0.0;  // exact zeros are drawn with any limits
    setLimits(figure, parseAxisLimits("x=0.25:0.7"));
    QVERIFY_ERROR(setLimits(figure, parseAxisLimits("x=0.35:0.7")), "from 0.3");
    figure.panels[0].boxes[0].outliers = {INFINITY};  // never drawn
    setLimits(figure, parseAxisLimits("x=0.25:0.7"));
    QVERIFY_ERROR(setLimits(figure, parseAxisLimits("x=0.25:0.55")), "to 0.6");
    figure.panels[0].boxes.clear();
    figure.panels[0].x = {.label = "equal tokens, %"};
    figure.panels[0].bars = {{.name = "run", .share = {1, 2}}};
    setLimits(figure, parseAxisLimits("equal=0:60"));
    QVERIFY_ERROR(setLimits(figure, parseAxisLimits("x=0:40")), "has 50.0 %");
    QVERIFY_ERROR(setLimits(figure, parseAxisLimits("x=10:60")), "begin at 0");
  }

  void limitsThatDoNotFitAreRefused() {
    QVERIFY_ERROR(limited("layer=0:3"), "called \"layer\"", "x (step)",
                  "y (total variation)", "right (probability)");
    QVERIFY_ERROR(limited("total=0:1"), "\"total variation\" is logarithmic", "at 0");
    QVERIFY_ERROR(limited("total=1:1e70"), "logarithmic", "between 1e-240 and 1e+60");
    QVERIFY_ERROR(limited("total=1e-300:1"), "logarithmic", "between 1e-240 and 1e+60");
    Figure maps = someFigure();
    maps.panels.erase(maps.panels.begin(), maps.panels.begin() + 3);
    QVERIFY_ERROR(setLimits(maps, parseAxisLimits("x=0:1")), "no limits to choose");
    Figure curves{.panels = {{.x = {.label = "step"},
                              .y = {.label = "L∞"},
                              .curves = {{.x = {0, 1}, .y = {2, 3}}}}}};
    setLimits(curves, parseAxisLimits("x=1:9,y=3:4"));
    setLimits(curves, parseAxisLimits("x=0:9,y=2.4:2.6"));  // the line between the points
    Figure falling{.panels = {{.x = {.label = "step"},
                               .y = {.label = "L∞"},
                               .curves = {{.x = {0, 1, 2, 3}, .y = {5, 5, 0.5, 0.5}}}}}};
    setLimits(falling, parseAxisLimits("x=0:2,y=0:1"));
    // Values within y=0:1 are only at steps 2 and 3.
    QVERIFY_ERROR(setLimits(falling, parseAxisLimits("x=0:1,y=0:1")),
                  "no value of a curve");
    setLimits(falling, parseAxisLimits("x=1:1.9,y=0:1"));  // y = 0.95 at x = 1.9
    QVERIFY_ERROR(setLimits(falling, parseAxisLimits("x=1:1.5,y=0:1")),
                  "no value of a curve");
    falling.panels[0].y.scale = FigureScale::Logarithmic;  // y = 1.58 at x = 1.5
    setLimits(falling, parseAxisLimits("x=1:1.5,y=0.1:1.6"));
    Figure upright{.panels = {{.x = {.label = "step"},
                               .y = {.label = "L∞"},
                               .curves = {{.x = {1, 1}, .y = {2, 3}}}}}};
    setLimits(upright, parseAxisLimits("x=0:2,y=2.4:2.6"));
    QVERIFY_ERROR(setLimits(upright, parseAxisLimits("x=2:3,y=2.4:2.6")),
                  "no value of a curve");
    curves.panels[0].x.limits = curves.panels[0].y.limits = {};
    QVERIFY_ERROR(setLimits(curves, parseAxisLimits("x=5:9")), "no value of a curve");
    QVERIFY_ERROR(setLimits(curves, parseAxisLimits("x=0:9,y=4:5")),
                  "choose other limits of \"L∞\"");
    curves.panels[0].y.scale = FigureScale::Logarithmic;
    curves.panels[0].curves[0].y = {0, 0};  // exact zeros are drawn with any limits
    setLimits(curves, parseAxisLimits("x=0:9,y=4:5"));
    // Names are compared without signs such as ‖. The empty rest would match every axis.
    QVERIFY_ERROR(limited("‖=0:1"), "names no axis");
  }
};

EQUIPATCH_TEST(tst_axis_limits)
#include "tst_axis_limits.moc"
