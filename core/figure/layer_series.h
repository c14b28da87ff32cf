#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/figure/run_figures.h"

namespace equipatch {

/// The steps that are drawn: the chosen one, or all.
/// @throws Error{BadInput} naming the run that lacks the step.
std::vector<std::shared_ptr<const StepRecord>> chosenSteps(
    const FigureRun& run, const std::optional<StepIndex>& step);

/// A quantity of each layer, NaN where it has none: of one step as it is, of several the
/// median within a band from 10 to 90 %.
FigureCurve layerCurve(
    const std::vector<std::shared_ptr<const StepRecord>>& steps,
    const std::function<double(const StepRecord&, std::size_t layer)>& quantity);

/// "step 3", or "median and 10 to 90 % of 20 steps".
std::string stepsInWords(const std::vector<std::shared_ptr<const StepRecord>>& steps);

/// "float32 closed, step 3": whose panel it is, where that is said, and of which steps.
std::string panelTitle(const FigureRun& run,
                       const std::vector<std::shared_ptr<const StepRecord>>& steps);

}  // namespace equipatch
