// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/panel_data.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "core/base/strings.h"
#include "core/figure/curve_mark.h"
#include "core/figure/layer_panels.h"
#include "core/figure/panel_sentence.h"
#include "core/figure/step_panels.h"
#include "core/page/page_assets.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/core/page/written_data.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::figureRun;
using equipatch::test::writtenData;

namespace {

bool isRounded(const PageObject& found, double value) {
  return std::abs(found.get<double>() - value) <= 1e-6 * std::abs(value);
}

std::vector<float> cellsOf(const PageObject& step) {
  const std::string bytes = *decodeBase64(step["cells"].get<std::string>());
  std::vector<float> cells;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i)
      bits |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
    cells.push_back(std::bit_cast<float>(bits));
  }
  return cells;
}

PageObject sizesOf(const FigureRun& run, PatchMeasure measure) {
  return writtenData([&](PageWriter& writer) { writePatchSizes(run, measure, writer); });
}

PageObject errorsOf(const FigureRun& run) {
  return writtenData([&](PageWriter& writer) { writeHiddenErrors(run, writer); });
}

PageObject mapOf(const FigureRun& run, int bins) {
  return writtenData(
      [&](PageWriter& writer) { writeScaleMap({.run = run}, bins, writer); });
}

/// The text between `before` and `after` in the first page script that contains `before`;
/// empty if no script does.
std::string inScripts(std::string_view before, std::string_view after) {
  for (const std::string_view script : kPageScripts)
    if (const std::size_t at = script.find(before); at != std::string_view::npos) {
      const std::size_t begin = at + before.size();
      return std::string(script.substr(begin, script.find(after, begin) - begin));
    }
  return {};
}

/// The mark's name in charts.js; empty: no mark.
std::string pageShape(const CurveMark& mark) {
  using Shape = CurveMark::Shape;
  static const std::map<Shape, std::pair<std::string, std::string>> kNames = {
      {Shape::None, {"", ""}},
      {Shape::Disc, {"disc", "openDisc"}},
      {Shape::Square, {"square", "openSquare"}},
      {Shape::Triangle, {"triangle", "openTriangle"}},
      {Shape::InvertedTriangle, {"turned", "openTurned"}},
      {Shape::Plus, {"plus", "openPlus"}},
      {Shape::Star, {"star", "openStar"}}};
  const auto& [filled, open] = kNames.at(mark.shape);
  return mark.open ? open : filled;
}

}  // namespace

class tst_panel_data : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// charts.js has its own tables of marks.
  void pagesDrawTheMarksOfFigures() {
    const PageObject shapes =
        PageObject::parse("[" + inScripts("const SHAPES = [", "]") + "]");
    QVERIFY(!shapes.empty());
    for (std::size_t i = 0; i < shapes.size(); ++i)
      QCOMPARE(shapes[i].get<std::string>(), pageShape(numberedMark(int(i))));
    QCOMPARE(pageShape(numberedMark(int(shapes.size()))), pageShape(numberedMark(0)));
    for (const PageObject& shape : shapes) {
      const std::string name = shape.get<std::string>();
      const std::string drawn =
          name.starts_with("open") ? inScripts(" " + name + ": \"", "\"") : name;
      QVERIFY2(!inScripts("shape === \"" + drawn + "\"", "\n").empty(), name.c_str());
    }
  }

  /// No two quantities have the same dashes. A reference may have a quantity's dashes,
  /// because the other curves of its chart stand for runs, not for quantities.
  void quantitiesHaveTheMarksOfFiguresAndDistinctDashes() {
    std::set<std::string> dashes;
    for (const auto& [look, name] : {std::pair(FigureCurve::Look::Patched, "patched"),
                                     {FigureCurve::Look::Distribution, "distribution"},
                                     {FigureCurve::Look::Bare, "bare"},
                                     {FigureCurve::Look::Ablated, "ablated"},
                                     {FigureCurve::Look::Margin, "margin"},
                                     {FigureCurve::Look::Noise, "noise"},
                                     {FigureCurve::Look::Audit, "audit"},
                                     {FigureCurve::Look::Reference, "reference"}}) {
      const std::string row = inScripts("\n  " + std::string(name) + ": {", "}");
      QVERIFY2(!row.empty(), name);
      const std::string shape = pageShape(markOf(FigureCurve{.look = look}));
      QCOMPARE(row.find("shape: \"" + shape + "\"") != std::string::npos, !shape.empty());
      QCOMPARE(row.find("shape:") != std::string::npos, !shape.empty());
      const std::size_t dash = row.find("dash: [");
      if (look != FigureCurve::Look::Reference)
        QVERIFY2(dashes.insert(row.substr(dash, row.find(']', dash) - dash)).second,
                 name);
    }
  }

  void logitCurvesHaveTheRecordedValues() {
    const FigureRun run = figureRun("mine", 6, {.noise = true, .mismatchEvery = 3});
    const PageObject data = stepPanelData(run);
    QCOMPARE(data["curves"].size(), std::size_t{5});
    QCOMPARE(data["curves"][0]["name"].get<std::string>(), std::string("L∞"));
    QCOMPARE(data["curves"][2]["look"].get<std::string>(), std::string("bare"));
    for (std::size_t step = 0; step < run.steps.size(); ++step) {
      const StepRecord& record = *run.steps[step];
      QCOMPARE(data["curves"][0]["x"][step].get<double>(), double(step));
      QVERIFY(isRounded(data["curves"][0]["y"][step], record.patchedDistance.linf));
      QVERIFY(isRounded(data["curves"][1]["y"][step], record.patchedDistance.tvd));
      QVERIFY(isRounded(data["curves"][2]["y"][step], record.bareDistance->linf));
      QVERIFY(isRounded(data["curves"][3]["y"][step], record.margin));
    }
    QCOMPARE(data["marks"][0]["x"].dump(), std::string("[2.0,5.0]"));
    QVERIFY(data["range"][0].get<double>() < data["curves"][1]["y"][0].get<double>());
  }

  void patchSizesHaveTheRecordedValues() {
    const FigureRun run = figureRun("mine", 3, {.layers = 4});
    const PageObject data = sizesOf(run, PatchMeasure::Absolute);
    QCOMPARE(data["curves"][3]["name"].get<std::string>(), std::string("Δm scale"));
    for (std::size_t step = 0; step < 3; ++step)
      for (std::size_t layer = 0; layer < 4; ++layer) {
        const LayerRecord& record = run.steps[step]->layers[layer];
        const PageObject& y = data["steps"][step]["y"];
        QVERIFY(isRounded(y[0][layer], record.matrices[0].norm));
        QVERIFY(isRounded(y[3][layer], record.scaleNorm));
      }
    QCOMPARE(data["steps"][2]["said"].get<std::string>(),
             patchSizeSentence(patchNormPanel(run, {.step = StepIndex(2)})));
    const PageObject relative = sizesOf(run, PatchMeasure::Relative);
    QCOMPARE(relative["curves"].size(), std::size_t{3});
    QVERIFY(isRounded(relative["steps"][1]["y"][2][3],
                      run.steps[1]->layers[3].matrices[2].relative));
  }

  void hiddenErrorsHaveTheRecordedValues() {
    const FigureRun run = changed(figureRun("mine", 2, {.layers = 3, .noise = true}), 0,
                                  [](StepRecord& step) { step.layerNoise[2] *= 2.0; });
    const PageObject data = errorsOf(run);
    QCOMPARE(data["curves"][0]["name"].get<std::string>(), std::string("hidden error"));
    QCOMPARE(data["curves"][1]["name"].get<std::string>(),
             std::string("noise floor, all steps"));
    QVERIFY(isRounded(data["steps"][1]["y"][0][2], run.steps[1]->layers[2].hiddenError));
    QVERIFY(isRounded(data["steps"][1]["y"][1][2], run.steps[0]->layerNoise[2]));
  }

  void mapsHoldEveryChannelToTheLastBit() {
    const FigureRun run = figureRun("mine", 2, {.layers = 3, .width = 20});
    const PageObject data = mapOf(run, 64);
    QCOMPARE(data["width"].get<int>(), 20);
    QCOMPARE(data["bins"].get<int>(), 20);
    QVERIFY(isRounded(data["largest"], *largestScaleDelta(run.steps)));
    for (std::size_t step = 0; step < 2; ++step) {
      std::vector<float> expected;
      for (const LayerRecord& layer : run.steps[step]->layers)
        expected.insert(expected.end(), layer.scaleDelta.begin(), layer.scaleDelta.end());
      QCOMPARE(cellsOf(data["steps"][step]), expected);
    }
  }

  void binsOfWideMapsHoldTheLargestChange() {
    FigureRun run = figureRun("mine", 1, {.layers = 2, .width = 100});
    run =
        changed(run, 0, [](StepRecord& step) { step.layers[1].scaleDelta[57] = -9.0F; });
    const PageObject data = mapOf(run, 10);
    QCOMPARE(data["bins"].get<int>(), 10);
    const std::vector<float> cells = cellsOf(data["steps"][0]);
    QCOMPARE(cells.size(), std::size_t{20});
    QCOMPARE(cells[15], -9.0F);
    for (std::size_t bin = 0; bin < 10; ++bin) {
      float largest = 0.0F;
      for (std::size_t channel = 10 * bin; channel < 10 * bin + 10; ++channel)
        if (const float one = run.steps[0]->layers[0].scaleDelta[channel];
            std::abs(one) > std::abs(largest))
          largest = one;
      QCOMPARE(cells[bin], largest);
    }
  }

  void withoutAScaleOrADeltaThereAreNoCells() {
    QVERIFY(mapOf(figureRun("mine", 1, {.closesWithScale = false}), 64).is_null());
    const FigureRun light = [] {
      FigureRun run = figureRun("mine", 1);
      run.steps[0] = withoutVectors(*run.steps[0]);
      return run;
    }();
    QCOMPARE(mapOf(light, 64)["steps"][0]["cells"].get<std::string>(), std::string());
  }

  void largerRunsGetMapsOfFewerBins() {
    const FigureRun small = figureRun("a", 2, {.layers = 2, .width = 20});
    QCOMPARE(mapBins({small}), kFewestMapBins);  // although its width is only 20
    FigureRun large = figureRun("b", 64, {.layers = 26, .width = 1152});
    const int alone = mapBins({large});
    QCOMPARE(alone, 144);
    QCOMPARE(mapBins({large, large}), 72);
    const Steps once = large.steps;
    for (int more = 0; more < 4; ++more)
      large.steps.insert(large.steps.end(), once.begin(), once.end());
    QCOMPARE(mapBins({large}), kFewestMapBins);
    const FigureRun none = figureRun("c", 2, {.closesWithScale = false});
    QVERIFY(mapBins({none}) >= kFewestMapBins);
  }

  void infinityNaNAndMissingLayersDiffer() {
    FigureRun run = figureRun("mine", 2, {.layers = 2});
    run = changed(run, 1, [](StepRecord& step) {
      step.patchedDistance.linf = std::numeric_limits<double>::infinity();
      step.layers[0].hiddenError = std::numeric_limits<double>::quiet_NaN();
      step.layers.pop_back();
    });
    QCOMPARE(stepPanelData(run)["curves"][0]["y"][1].dump(), std::string("\"Infinity\""));
    const PageObject error = errorsOf(run)["steps"][1]["y"][0];
    QCOMPARE(error.dump(), std::string("[null]"));
  }
};

EQUIPATCH_TEST(tst_panel_data)
#include "tst_panel_data.moc"
