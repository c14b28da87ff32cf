// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/layer_panels.h"

#include <cmath>

#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::figureRun;

namespace {

double stepTimesTen(const StepRecord& step, std::size_t layer) {
  return 10.0 * double(step.step.value) + double(layer);
}

}  // namespace

class tst_layer_panels : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void severalStepsGiveAMedianWithABand() {
    const FigureRun run = figureRun("run", 11, {.layers = 2});
    const FigureCurve curve = layerCurve(run.steps, stepTimesTen);
    QCOMPARE(curve.x, (std::vector<double>{0, 1}));
    QCOMPARE(curve.y, (std::vector<double>{50, 51}));
    QCOMPARE(curve.lower, (std::vector<double>{10, 11}));
    QCOMPARE(curve.upper, (std::vector<double>{90, 91}));
    QCOMPARE(stepsInWords(run.steps), std::string("median and 10 to 90 % of 11 steps"));
  }

  void aSingleStepHasNoBand() {
    const auto steps = chosenSteps(figureRun("run", 5, {.layers = 2}), StepIndex(3));
    const FigureCurve curve = layerCurve(steps, stepTimesTen);
    QCOMPARE(curve.y, (std::vector<double>{30, 31}));
    QVERIFY(curve.lower.empty());
    QCOMPARE(stepsInWords(steps), std::string("step 3"));
  }

  void layersWithoutAValueAreGaps() {
    const FigureRun run = figureRun("run", 3, {.layers = 2});
    const FigureCurve curve = layerCurve(
        run.steps,
        [](const StepRecord&, std::size_t layer) { return layer == 0 ? NAN : 1.0; });
    QVERIFY(std::isnan(curve.y[0]));
    QCOMPARE(curve.y[1], 1.0);
  }

  void aMissingStepIsRefused() {
    QVERIFY_ERROR(chosenSteps(figureRun("mine", 5), StepIndex(5)),
                  "the run \"mine\" has no step 5; choose one from 0 to 4");
  }

  void patchNormsAreThoseOfTheStep() {
    const FigureRun run = figureRun("mine", 4);
    const FigurePanel panel = patchNormPanel(run, {.step = StepIndex(2)});
    QCOMPARE(panel.title, std::string("mine, step 2"));
    QCOMPARE(panel.curves.size(), std::size_t{4});
    QCOMPARE(panel.curves[1].name, std::string("ΔW up"));
    QCOMPARE(panel.curves[1].y[3], run.steps[2]->layers[3].find("up")->norm);
    QCOMPARE(panel.curves[3].y[5], run.steps[2]->layers[5].scaleNorm);
  }

  void recurrentLayersAreMarked() {
    FigureRun run = figureRun("mine", 2);
    QVERIFY(patchNormPanel(run, {}).x.marked.empty());
    auto header = std::make_shared<RunHeader>(*run.header);
    header->recurrentLayers = {0, 1, 2, 4};
    run.header = header;
    const FigureAxis axis = patchNormPanel(run, {}).x;
    QCOMPARE(axis.marked, header->recurrentLayers);
    QVERIFY(axis.isMarked(4.0) && !axis.isMarked(3.0));
    QCOMPARE(axis.title(), std::string("layer (thick ticks: recurrent)"));
    QCOMPARE(axis.label, std::string("layer"));
    QVERIFY(layerErrorPanel({run}, {}).x == axis);
    QVERIFY(scaleMapPanel(run, StepIndex(0)).y == axis);
    const PatchSize size = patchSizes(*header, PatchMeasure::Absolute).front();
    QVERIFY(sizeMapPanel(*header, size).y == axis);
    // If the runs' recurrent layers differ, no layer is marked.
    const FigureAxis two = layerErrorPanel({run, figureRun("other", 2)}, {}).x;
    QVERIFY(two.marked.empty());
    QCOMPARE(two.title(), std::string("layer"));
  }

  void aDenseMlpsScaleIsCalledDenseScale() {
    RunHeader header;
    header.patchedMatrices = {"dense_down", kDenseScale};
    const auto sizes = patchSizes(header, PatchMeasure::Absolute);
    QCOMPARE(sizes[0].name, std::string("ΔW dense down"));
    QCOMPARE(sizes[1].name, std::string("Δm dense scale"));
    for (std::size_t i = 0; i < sizes.size(); ++i)
      QCOMPARE(patchPartName(header.patchedMatrices[i]), sizes[i].name);
  }

  void theClosingScaleHasNoRelativeSize() {
    const FigureRun run = figureRun("mine", 1);
    const FigurePanel panel =
        patchNormFigure({run}, {.measure = PatchMeasure::Relative}).panels.at(0);
    QCOMPARE(panel.curves.size(), std::size_t{3});
    QCOMPARE(panel.curves[0].y[2], run.steps[0]->layers[2].find("gate")->relative);
  }

  void aLayerWithoutTheMatrixIsAGap() {
    const FigureRun run = changed(figureRun("mine", 1), 0, [](StepRecord& record) {
      record.layers[1].matrices.erase(record.layers[1].matrices.begin());
    });
    QVERIFY(std::isnan(patchNormFigure({run}, {}).panels[0].curves[0].y[1]));
  }

  void eachRunHasItsPanel() {
    const FigureRun bias =
        figureRun("bias", 2, {.closesWithScale = false, .closesWithBias = true});
    const Figure figure = patchNormFigure({figureRun("one", 3), bias}, {});
    QCOMPARE(figure.panels.size(), std::size_t{2});
    QCOMPARE(figure.panels[1].curves.back().name, std::string("Δb bias"));
  }

  void layerErrorCurvesShowHiddenErrors() {
    const FigureRun run = figureRun("mine", 1);
    const FigurePanel panel = layerErrorFigure({run}, {}).panels.at(0);
    QCOMPARE(panel.curves.size(), std::size_t{2});
    for (std::size_t layer = 0; layer < run.steps[0]->layers.size(); ++layer)
      QCOMPARE(panel.curves[0].y[layer], run.steps[0]->layers[layer].hiddenError);
  }

  void errorCurvesHaveTheUsersStyle() {
    FigureRun run = figureRun("mine", 1);
    run.style = 3;
    QCOMPARE(layerErrorFigure({run}, {}).panels.at(0).curves.at(0).style, 3);
  }

  void theNoiseFloorNamesTheMeasuredRun() {
    const Figure figure = layerErrorFigure(
        {figureRun("plain", 2), figureRun("measured", 2, {.noise = true})}, {});
    const FigureCurve& floor = figure.panels.at(0).curves.back();
    QCOMPARE(floor.name, std::string("largest noise of all steps, measured"));
    QVERIFY(floor.look == FigureCurve::Look::Reference);
    QCOMPARE(floor.y, std::vector<double>(6, 1.5e-3));
  }

  void onTheScreenAStepHasTheNoiseFloorOfAllSteps() {
    FigureRun run = figureRun("mine", 3, {.noise = true});
    run = changed(run, 2, [](StepRecord& step) { step.layerRounding.assign(6, 2e-3); });
    const FigurePanel panel = layerErrorPanel({run}, {.step = StepIndex(0)});
    QCOMPARE(panel.curves.back().y, std::vector<double>(6, 2e-3));
    QVERIFY(panel.curves.back().look == FigureCurve::Look::Noise);
  }

  void inPrintAStepHasItsOwnNoiseFloor() {
    FigureRun run = figureRun("mine", 3, {.noise = true});
    run = changed(run, 2, [](StepRecord& step) { step.layerRounding.assign(6, 2e-3); });
    const auto floorAt = [&run](std::optional<StepIndex> step) {
      return layerErrorFigure({run}, {.step = step}).panels.at(0).curves.back();
    };
    QCOMPARE(floorAt(StepIndex(0)).name, std::string("noise of step 0"));
    QCOMPARE(floorAt(StepIndex(0)).y, std::vector<double>(6, 1.5e-3));
    QCOMPARE(floorAt(std::nullopt).name, std::string("largest noise of all steps"));
    QCOMPARE(floorAt(std::nullopt).y, std::vector<double>(6, 2e-3));
    QVERIFY(floorAt(std::nullopt).look == FigureCurve::Look::Reference);
  }

  void aGroupOfRunsIsOneCurve() {
    const std::vector<FigureRun> runs = {figureRun("a", 5), figureRun("b", 20)};
    const FigurePanel all =
        layerErrorFigure(runs, {.grouping = RunGrouping::All}).panels.at(0);
    QCOMPARE(all.curves.size(), std::size_t{2});  // the group and ε
    QCOMPARE(all.curves[0].name, std::string("25 steps of 2 runs"));
    QCOMPARE(all.title, std::string("Median and 10 to 90 %"));
    const FigurePanel step =
        layerErrorFigure(runs, {.step = StepIndex(3), .grouping = RunGrouping::Settings})
            .panels.at(0);
    QCOMPARE(step.title, std::string("Step 3, median and 10 to 90 %"));
    QVERIFY(step.curves[0].name.ends_with("2 steps of 2 runs"));
    QCOMPARE(step.curves[0].upper.size(), step.curves[0].y.size());
    const FigurePanel single =
        layerErrorFigure({runs[0]}, {.step = StepIndex(3), .grouping = RunGrouping::All})
            .panels.at(0);
    QCOMPARE(single.title, std::string("Step 3"));
    QCOMPARE(single.curves[0].name, std::string("a"));
  }

  void titlesSayWhichStepsAreDrawn() {
    const std::vector<FigureRun> runs = {figureRun("a", 5), figureRun("b", 20)};
    const auto titleAt = [&runs](std::optional<StepIndex> step) {
      return layerErrorFigure(runs, {.step = step}).panels.at(0).title;
    };
    QCOMPARE(titleAt(StepIndex(3)), std::string("Step 3"));
    QCOMPARE(titleAt(std::nullopt),
             std::string("Median and 10 to 90 % of 5 to 20 steps"));
    QCOMPARE(stepsInWords({runs[0]}, std::nullopt), stepsInWords(runs[0].steps));
    QCOMPARE(stepsInWords({figureRun("c", 1)}, std::nullopt), std::string("step 0"));
  }

  void machineEpsilonReplacesAMissingNoiseFloor() {
    const FigurePanel panel = layerErrorPanel({figureRun("", 1)}, {});
    QCOMPARE(panel.curves[0].name, std::string("hidden error"));
    QCOMPARE(panel.y.label, std::string("‖x′ − x_C‖ / ‖x_C‖"));
    QCOMPARE(panel.curves[1].name, std::string("ε of bfloat16"));
    QCOMPARE(panel.curves[1].y, std::vector<double>(6, 0.0078125));  // 2^-7
    const FigurePanel models = layerErrorPanel(
        {figureRun("small", 1, {.layers = 2}), figureRun("large", 1)}, {});
    QCOMPARE(models.curves.back().y.size(), std::size_t{6});  // of the larger model
    std::vector<FigureRun> runs{figureRun("a", 1), figureRun("b", 1), figureRun("c", 1)};
    RunHeader wide = *runs[1].header;
    wide.dtype = DType::F32;
    runs[1].header = std::make_shared<const RunHeader>(wide);
    const FigurePanel several = layerErrorPanel(runs, {});
    QCOMPARE(several.curves.size(), std::size_t(3 + 2));  // an ε for each dtype
    QCOMPARE(several.curves[3].name, std::string("ε of bfloat16"));
    QCOMPARE(several.curves[4].name, std::string("ε of float32"));
    QVERIFY(several.curves[3].style != several.curves[4].style);  // different dashes
  }

  void eachDTypeHasItsNoiseFloor() {
    const auto floored = [](const char* name, DType dtype, double noise) {
      FigureRun run = changed(figureRun(name, 1), 0, [&](StepRecord& step) {
        step.noise = LogitDistance{.linf = noise};
        step.layerNoise.assign(step.layers.size(), noise);
        step.rounding.reset();
        step.layerRounding.clear();
      });
      RunHeader header = *run.header;
      header.dtype = dtype;
      run.header = std::make_shared<const RunHeader>(header);
      return run;
    };
    const FigurePanel panel =
        layerErrorPanel({floored("a", DType::BF16, 0.1), floored("b", DType::F32, 0.001),
                         floored("c", DType::BF16, 0.3)},
                        {});
    QCOMPARE(panel.curves.size(), std::size_t{5});
    QCOMPARE(panel.curves[3].name,
             std::string("noise floor, all steps, bfloat16, largest of the runs"));
    QCOMPARE(panel.curves[3].y.front(), 0.3);
    QCOMPARE(panel.curves[4].name, std::string("noise floor, all steps, b"));
    QCOMPARE(panel.curves[4].y.front(), 0.001);
  }

  void valuesOverAllStepsCanBeComputedOnce() {
    const FigureRun run = changed(figureRun("mine", 3, {.noise = true}), 2,
                                  [](StepRecord& step) { step.layerNoise[1] *= 4.0; });
    const std::vector<FigureCurve> floors = errorFloors({run});
    const std::optional<double> largest = largestScaleDelta(run.steps);
    QCOMPARE(floors.at(0).y.at(1), run.steps[2]->layerNoise[1]);
    for (std::int64_t step = 0; step < 3; ++step) {
      const FigureChoice choice{.step = StepIndex(step)};
      const FigurePanel errors = layerErrorPanel({run}, choice, floors);
      QCOMPARE(errors.curves.back().y, floors[0].y);
      QCOMPARE(errors.curves.front().y, layerErrorPanel({run}, choice).curves.front().y);
      QCOMPARE(scaleMapPanel(run, StepIndex(step), largest).map->largest,
               scaleMapPanel(run, StepIndex(step)).map->largest);
    }
  }

  void theMapShowsTheStepsScaleChanges() {
    const FigureRun run = figureRun("mine", 3, {.layers = 4, .width = 10});
    const FigurePanel panel =
        scaleHeatmapFigure({run}, {.step = StepIndex(1)}).panels.at(0);
    QCOMPARE(panel.title, std::string("mine, step 1"));
    QCOMPARE(panel.map->grid.rows(), 4);
    QCOMPARE(panel.map->grid.columns(), 10);
    QCOMPARE(panel.map->grid.at(2, 7), run.steps[1]->layers[2].scaleDelta[7]);
  }

  void theMapShowsTheFirstStepByDefault() {
    const FigureRun run = figureRun("mine", 3);
    const Figure figure = scaleHeatmapFigure({run}, {});
    QCOMPARE(figure.panels[0].map->grid.at(0, 0), run.steps[0]->layers[0].scaleDelta[0]);
  }

  void scaleMapsOfBlocksWithoutScaleAreRefused() {
    QVERIFY_ERROR(
        scaleHeatmapFigure({figureRun("run", 1, {.closesWithScale = false})}, {}),
        "the blocks of synthetic close without a norm scale");
  }

  void eachStepAddsAColumnToAPatchSizeMap() {
    const FigureRun run = figureRun("mine", 2);
    const PatchSize size = patchSizes(*run.header, PatchMeasure::Absolute)[1];
    FigurePanel panel = sizeMapPanel(*run.header, size);
    QCOMPARE(panel.map->label, std::string("ΔW up"));
    for (const auto& step : run.steps) addColumn(*step, size, panel);
    QCOMPARE(panel.map->grid.columns(), 2);
    QCOMPARE(panel.map->grid.at(3, 1), float(run.steps[1]->layers[3].find("up")->norm));
  }
};

EQUIPATCH_TEST(tst_layer_panels)
#include "tst_layer_panels.moc"
