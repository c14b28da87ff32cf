// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/layer_panels.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <limits>
#include <ranges>
#include <string_view>

#include "core/base/error.h"
#include "core/figure/run_groups.h"
#include "core/figure/statistics.h"
#include "core/figure/step_panels.h"
#include "core/record/quantile.h"
#include "core/record/verdict.h"

namespace equipatch {
namespace {

constexpr double kMissingSize = std::numeric_limits<double>::quiet_NaN();

std::string asHeading(std::string words) {
  words.front() = static_cast<char>(std::toupper(words.front()));
  return words;
}

std::string runInWords(const FigureRun& run) {
  return run.name.empty() ? "the run" : "the run " + inQuotes(run.name);
}

/// "float32 closed, step 3", or "Step 3" for a run without a name.
std::string panelTitle(const FigureRun& run,
                       const std::vector<std::shared_ptr<const StepRecord>>& steps) {
  return run.name.empty() ? asHeading(stepsInWords(steps))
                          : run.name + ", " + stepsInWords(steps);
}

PatchSize sizeOfMatrix(const std::string& matrix, PatchMeasure measure) {
  return {patchPartName(matrix), [matrix, measure](const LayerRecord& layer) {
            const MatrixPatchNorm* norm = layer.find(matrix);
            if (!norm) return kMissingSize;
            return measure == PatchMeasure::Absolute ? norm->norm : norm->relative;
          }};
}

FigureAxis layerAxis(const RunHeader& header) {
  FigureAxis axis{.label = "layer", .counts = true};
  axis.marked = header.recurrentLayers;
  if (!axis.marked.empty()) axis.markedAs = "recurrent";
  return axis;
}

/// Marks recurrent layers only if they are the same in all runs.
FigureAxis layerAxis(const std::vector<FigureRun>& runs) {
  const FigureAxis axis = layerAxis(*runs.front().header);
  const bool same = std::ranges::all_of(
      runs, [&](const FigureRun& run) { return layerAxis(*run.header) == axis; });
  return same ? axis : layerAxis(RunHeader());
}

/// Δm of a step, read from the run's file.
HeatGrid storedScaleDelta(const FigureRun& run, StepIndex step) {
  if (run.file.empty())
    throw badInput(runInWords(run) +
                   ": its Δm is no longer in memory and was not recorded; leave the run "
                   "out, or run it again");
  return scaleDeltaGrid(*RunFile(run.file).step(step, FactorDetail::Omit));
}

/// The dtype to which the run rounds its activations.
DType computingDType(const RunHeader& header) {
  return header.computesFloat32 ? DType::F32 : header.dtype;
}

FigureCurve referenceCurve(std::string name, std::vector<double> values,
                           FigureCurve::Look look) {
  FigureCurve curve{.name = std::move(name), .look = look};
  curve.y = std::move(values);
  for (std::size_t layer = 0; layer < curve.y.size(); ++layer)
    curve.x.push_back(static_cast<double>(layer));
  return curve;
}

/// The largest noise floor of several runs, and the runs that measured a floor.
struct LargestFloor {
  std::vector<double> layers;  ///< by layer; empty if no run measured its floor
  std::vector<const FigureRun*> measured = {};
};

LargestFloor largestFloor(const std::vector<FigureRun>& runs, DType dtype,
                          const std::optional<StepIndex>& step) {
  LargestFloor largest;
  for (const FigureRun& run : runs) {
    if (computingDType(*run.header) != dtype) continue;
    const std::vector<double> layers = floorOf(chosenSteps(run, step)).layers;
    if (layers.empty()) continue;
    largest.measured.push_back(&run);
    largest.layers.resize(std::max(largest.layers.size(), layers.size()), 0.0);
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
      largest.layers[layer] = std::max(largest.layers[layer], layers[layer]);
  }
  return largest;
}

/// The curves of errorFloors, or those of one step.
/// @param step the step whose noise is drawn; absent: the largest noise of all steps
/// @param noise how the name of a measured noise floor begins
std::vector<FigureCurve> floorCurves(const std::vector<FigureRun>& runs,
                                     const std::optional<StepIndex>& step,
                                     const std::string& noise, FigureCurve::Look look) {
  std::vector<DType> dtypes;
  for (const FigureRun& run : runs)
    if (std::ranges::count(dtypes, computingDType(*run.header)) == 0)
      dtypes.push_back(computingDType(*run.header));
  std::vector<FigureCurve> curves;
  for (const DType dtype : dtypes) {
    const std::string name(torchName(dtype));
    LargestFloor floor = largestFloor(runs, dtype, step);
    std::string title = noise;
    if (floor.measured.empty()) {
      title = "ε of " + name;
      std::int64_t layers = 0;
      for (const FigureRun& run : runs)
        if (computingDType(*run.header) == dtype)
          layers = std::max(layers, run.header->layers);
      floor.layers.assign(static_cast<std::size_t>(layers), machineEpsilon(dtype));
    } else if (floor.measured.size() > 1) {
      title += (dtypes.size() > 1 ? ", " + name : "") + ", largest of the runs";
    } else if (runs.size() > 1) {
      title += ", " + floor.measured.front()->name;
    }
    curves.push_back(referenceCurve(std::move(title), std::move(floor.layers), look));
    curves.back().style = static_cast<int>(curves.size()) - 1;
  }
  return curves;
}

std::vector<FigureCurve> printedFloors(const std::vector<FigureRun>& runs,
                                       const std::optional<StepIndex>& step) {
  return floorCurves(runs, step,
                     step ? "noise of step " + std::to_string(step->value)
                          : "largest noise of all steps",
                     FigureCurve::Look::Reference);
}

double hiddenErrorAt(const StepRecord& step, std::size_t layer) {
  return step.layers[layer].hiddenError;
}

/// "float32 direct open, 95 steps of 5 runs"
std::string pooledName(const RunGroup& group, std::size_t steps) {
  return group.name + (group.name.empty() ? "" : ", ") + std::to_string(steps) +
         " steps of " + std::to_string(group.runs.size()) + " runs";
}

FigurePanel emptyErrorPanel(const std::vector<FigureRun>& runs,
                            const FigureChoice& choice) {
  return {.title = asHeading(stepsInWords(runs, choice.step)),
          .x = layerAxis(runs),
          .y = {.label = "‖x′ − x_C‖ / ‖x_C‖", .scale = FigureScale::Logarithmic}};
}

FigurePanel errorPanelOfRuns(const std::vector<FigureRun>& runs,
                             const FigureChoice& choice) {
  FigurePanel panel = emptyErrorPanel(runs, choice);
  for (const FigureRun& run : runs) {
    const auto steps = chosenSteps(run, choice.step);
    FigureCurve curve = layerCurve(steps, hiddenErrorAt);
    curve.name = run.name.empty() ? "hidden error" : run.name;
    curve.style = run.style.value_or(static_cast<int>(panel.curves.size()));
    curve.colour = run.colour;
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

/// The curve of a group is the median over the chosen steps of all its runs.
FigurePanel errorPanelOfGroups(const std::vector<FigureRun>& runs,
                               const FigureChoice& choice) {
  FigurePanel panel = emptyErrorPanel(runs, choice);
  for (const RunGroup& group : groupsOf(runs, choice.grouping)) {
    std::vector<std::shared_ptr<const StepRecord>> steps;
    for (const FigureRun* run : group.runs)
      std::ranges::copy(chosenSteps(*run, choice.step), std::back_inserter(steps));
    FigureCurve curve = layerCurve(steps, hiddenErrorAt);
    curve.name = group.runs.size() > 1 ? pooledName(group, steps.size()) : group.name;
    curve.style = group.style;
    curve.colour = group.colour;
    panel.curves.push_back(std::move(curve));
  }
  if (panel.hasBands())
    panel.title = (choice.step ? asHeading(stepsInWords(runs, choice.step)) + ", m"
                               : std::string("M")) +
                  "edian and 10 to 90 %";
  return panel;
}

}  // namespace

std::vector<std::shared_ptr<const StepRecord>> chosenSteps(
    const FigureRun& run, const std::optional<StepIndex>& step) {
  if (!step) return run.steps;
  const auto index = static_cast<std::size_t>(step->value);
  if (step->value < 0 || index >= run.steps.size())
    throw badInput(runInWords(run) + " has no step " + std::to_string(step->value) +
                   "; choose one from 0 to " + std::to_string(run.steps.size() - 1));
  return {run.steps[index]};
}

FigureCurve layerCurve(
    const std::vector<std::shared_ptr<const StepRecord>>& steps,
    const std::function<double(const StepRecord&, std::size_t)>& quantity) {
  FigureCurve curve;
  std::size_t layers = 0;
  for (const auto& step : steps) layers = std::max(layers, step->layers.size());
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::vector<double> values;
    for (const auto& step : steps)
      if (layer < step->layers.size()) values.push_back(quantity(*step, layer));
    values = sortedNumbers(std::move(values));
    curve.x.push_back(static_cast<double>(layer));
    curve.y.push_back(sortedQuantile(values, 0.5));
    if (steps.size() == 1) continue;
    curve.lower.push_back(sortedQuantile(values, 0.1));
    curve.upper.push_back(sortedQuantile(values, 0.9));
  }
  return curve;
}

std::string stepsInWords(const std::vector<std::shared_ptr<const StepRecord>>& steps) {
  if (steps.size() == 1) return "step " + std::to_string(steps.front()->step.value);
  return "median and 10 to 90 % of " + std::to_string(steps.size()) + " steps";
}

std::string stepsInWords(const std::vector<FigureRun>& runs,
                         const std::optional<StepIndex>& step) {
  if (step) return "step " + std::to_string(step->value);
  const auto sizeOf = [](const FigureRun& run) { return run.steps.size(); };
  const auto [least, most] = std::ranges::minmax(runs | std::views::transform(sizeOf));
  if (most == 1) return stepsInWords(runs.front().steps);
  return "median and 10 to 90 % of " +
         (least < most ? std::to_string(least) + " to " : "") + std::to_string(most) +
         " steps";
}

std::string patchPartName(const std::string& matrix) {
  std::string words = matrix;
  std::ranges::replace(words, '_', ' ');
  return (words.ends_with("scale") ? "Δm " : "ΔW ") + words;
}

std::vector<PatchSize> patchSizes(const RunHeader& header, PatchMeasure measure) {
  std::vector<PatchSize> sizes;
  for (const std::string& matrix : header.patchedMatrices)
    sizes.push_back(sizeOfMatrix(matrix, measure));
  if (measure == PatchMeasure::Relative) return sizes;
  if (header.closesWithScale)
    sizes.push_back(
        {"Δm scale", [](const LayerRecord& layer) { return layer.scaleNorm; }});
  if (header.closesWithBias)
    sizes.push_back({"Δb bias", [](const LayerRecord& layer) { return layer.biasNorm; }});
  return sizes;
}

bool isRun(const FigureCurve& curve, const FigurePanel& panel) {
  return curve.look == FigureCurve::Look::Numbered && panel.y.label != kPatchSizes &&
         panel.y.label != kRelativePatchSizes;
}

FigurePanel patchNormPanel(const FigureRun& run, const FigureChoice& choice) {
  const auto steps = chosenSteps(run, choice.step);
  const bool absolute = choice.measure == PatchMeasure::Absolute;
  FigurePanel panel{.title = panelTitle(run, steps),
                    .x = layerAxis(*run.header),
                    .y = {.label = absolute ? kPatchSizes : kRelativePatchSizes,
                          .scale = FigureScale::Logarithmic}};
  for (const PatchSize& size : patchSizes(*run.header, choice.measure)) {
    FigureCurve curve =
        layerCurve(steps, [&size](const StepRecord& step, std::size_t layer) {
          return size.of(step.layers[layer]);
        });
    curve.name = size.name;
    curve.style = static_cast<int>(panel.curves.size());
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

std::vector<FigureCurve> errorFloors(const std::vector<FigureRun>& runs) {
  const auto look =
      runs.size() == 1 ? FigureCurve::Look::Noise : FigureCurve::Look::Reference;
  return floorCurves(runs, std::nullopt, "noise floor, all steps", look);
}

FigurePanel layerErrorPanel(const std::vector<FigureRun>& runs,
                            const FigureChoice& choice, std::vector<FigureCurve> floors) {
  FigurePanel panel = errorPanelOfRuns(runs, choice);
  std::ranges::move(floors, std::back_inserter(panel.curves));
  return panel;
}

HeatGrid scaleDeltaGrid(const StepRecord& record) {
  std::size_t width = 0;
  for (const LayerRecord& layer : record.layers)
    width = std::max(width, layer.scaleDelta.size());
  HeatGrid grid(int(record.layers.size()), int(width));
  for (std::size_t layer = 0; layer < record.layers.size(); ++layer) {
    const std::vector<float>& delta = record.layers[layer].scaleDelta;
    for (std::size_t channel = 0; channel < delta.size(); ++channel)
      grid.set(int(layer), int(channel), delta[channel]);
  }
  return grid;
}

FigurePanel scaleMapPanel(const FigureRun& run, StepIndex step,
                          std::optional<double> largest) {
  const auto steps = chosenSteps(run, step);
  return {.title = panelTitle(run, steps),
          .x = {.label = "channel", .counts = true},
          .y = layerAxis(*run.header),
          .map = FigureMap{
              .label = "Δm", .grid = scaleDeltaGrid(*steps.front()), .largest = largest}};
}

std::optional<double> largestScaleDelta(
    const std::vector<std::shared_ptr<const StepRecord>>& steps) {
  double largest = 0.0;
  for (const auto& step : steps)
    for (const LayerRecord& layer : step->layers)
      if (std::isfinite(layer.scaleMax)) largest = std::max(largest, layer.scaleMax);
  return largest > 0.0 ? std::optional(largest) : std::nullopt;
}

FigurePanel sizeMapPanel(const RunHeader& header, const PatchSize& size) {
  return {.x = {.label = "step", .counts = true},
          .y = layerAxis(header),
          .map = FigureMap{.label = size.name,
                           .grid = HeatGrid(static_cast<int>(header.layers), 0),
                           .colours = FigureMap::Colours::FromZeroEvenly}};
}

void addColumn(const StepRecord& step, const PatchSize& size, FigurePanel& panel) {
  std::vector<float> column;
  for (const LayerRecord& layer : step.layers)
    column.push_back(static_cast<float>(size.of(layer)));
  panel.map->grid.addColumn(column);
  panel.tokens.push_back(tokenLabel(step));
}

Figure patchNormFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice) {
  Figure figure{.kind = "patch-norms", .title = "Size of the patches by layer"};
  for (const FigureRun& run : runs) figure.panels.push_back(patchNormPanel(run, choice));
  return figure;
}

Figure layerErrorFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice) {
  FigurePanel panel = choice.grouping == RunGrouping::Each
                          ? errorPanelOfRuns(runs, choice)
                          : errorPanelOfGroups(runs, choice);
  std::ranges::move(printedFloors(runs, choice.step), std::back_inserter(panel.curves));
  return {.kind = "layer-error",
          .title = "Hidden error of the patched pass by layer",
          .panels = {std::move(panel)}};
}

Figure scaleHeatmapFigure(const std::vector<FigureRun>& runs,
                          const FigureChoice& choice) {
  Figure figure{.kind = "scale-heatmap", .title = "Δm by layer and channel"};
  for (const FigureRun& run : runs) {
    if (!run.header->closesWithScale)
      throw badInput("the blocks of " + run.header->modelName +
                     " close without a norm scale, so there is no Δm to draw; draw "
                     "patch-norms instead");
    const StepIndex step = choice.mapStep.value_or(choice.step.value_or(StepIndex(0)));
    FigurePanel panel = scaleMapPanel(run, step);
    if (panel.map->grid.empty()) panel.map->grid = storedScaleDelta(run, step);
    if (choice.mapLimit) panel.map->largest = choice.mapLimit;
    if (!choice.logarithmicMap) panel.map->colours = FigureMap::Colours::AroundZeroEvenly;
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace equipatch
