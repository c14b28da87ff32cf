// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/figure/run_figures.h"

namespace equipatch {

/// The step, or all steps of the run if `step` is absent.
/// @param run with at least one step
/// @throws Error{BadInput} if the run lacks the step.
std::vector<std::shared_ptr<const StepRecord>> chosenSteps(
    const FigureRun& run, const std::optional<StepIndex>& step);

/// A quantity by layer: its value at a single step, or the median of several steps with a
/// band from the 10th to the 90th percentile. Layers without values are NaN.
FigureCurve layerCurve(
    const std::vector<std::shared_ptr<const StepRecord>>& steps,
    const std::function<double(const StepRecord&, std::size_t layer)>& quantity);

/// "step 3", or "median and 10 to 90 % of 20 steps".
std::string stepsInWords(const std::vector<std::shared_ptr<const StepRecord>>& steps);
/// For several runs: "median and 10 to 90 % of 5 to 20 steps".
/// @param step the drawn step; absent: all steps
std::string stepsInWords(const std::vector<FigureRun>& runs,
                         const std::optional<StepIndex>& step);

/// The size of one part of a layer's patch.
struct PatchSize {
  std::string name;                              ///< "ΔW gate", "Δm scale", "Δb bias"
  std::function<double(const LayerRecord&)> of;  ///< NaN where the layer lacks the part
};

/// The y labels of panels of absolute and of relative patch sizes.
inline constexpr const char *kPatchSizes = "‖patch‖", *kRelativePatchSizes = "‖ΔW‖ / ‖W‖";

/// True if the curve stands for a run, a group of runs or a curve of a lab result: its
/// name may be any text.
bool isRun(const FigureCurve& curve, const FigurePanel& panel);

/// The label of a matrix's patch, from the matrix's name in records: "dense_up" →
/// "ΔW dense up", kDenseScale → "Δm dense scale".
std::string patchPartName(const std::string& matrix);

/// The parts whose sizes a record holds. The scale or bias that closes the block has no
/// relative size, because records do not hold the size of the unpatched scale or bias.
std::vector<PatchSize> patchSizes(const RunHeader& header, PatchMeasure measure);

/// Sizes of a run's patches, one curve per part. @throws as chosenSteps.
FigurePanel patchNormPanel(const FigureRun& run, const FigureChoice& choice);

/// Reference curves for hidden errors, one for each dtype in which runs compute: the
/// largest noise floor over all steps of the runs of this dtype, or ε if none of these
/// runs measured a floor. Takes time in proportion to the steps.
std::vector<FigureCurve> errorFloors(const std::vector<FigureRun>& runs);

/// Hidden errors, one curve per run, and the `floors`. @throws as chosenSteps.
/// @param floors errorFloors(runs); if you draw every step, compute them once
FigurePanel layerErrorPanel(const std::vector<FigureRun>& runs,
                            const FigureChoice& choice, std::vector<FigureCurve> floors);
inline FigurePanel layerErrorPanel(const std::vector<FigureRun>& runs,
                                   const FigureChoice& choice) {
  return layerErrorPanel(runs, choice, errorFloors(runs));
}

/// Δm of a step: layer × channel; NaN where the record lacks it.
HeatGrid scaleDeltaGrid(const StepRecord& record);

/// The largest finite LayerRecord::scaleMax of all steps; nothing if none is above 0.
std::optional<double> largestScaleDelta(
    const std::vector<std::shared_ptr<const StepRecord>>& steps);

/// Δm of one step by layer and channel. The grid is empty if the record in memory lacks
/// Δm. @throws as chosenSteps.
/// @param largest the end of the colour scale: largestScaleDelta of all steps, so that
/// maps of different steps are comparable
FigurePanel scaleMapPanel(const FigureRun& run, StepIndex step,
                          std::optional<double> largest);
inline FigurePanel scaleMapPanel(const FigureRun& run, StepIndex step) {
  return scaleMapPanel(run, step, largestScaleDelta(run.steps));
}

/// An empty map of a part's size by layer and step; addColumn adds a step.
FigurePanel sizeMapPanel(const RunHeader& header, const PatchSize& size);
void addColumn(const StepRecord& step, const PatchSize& size, FigurePanel& panel);

}  // namespace equipatch
