// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/figure/figure_axis.h"
#include "core/figure/run_figures.h"

namespace equipatch {

// The axis of steps that several runs share. A step's place is its number plus the run's
// `FigureRun::begins`. `FigureRun::steps` must hold all steps from step 0 on.

/// Null if the run has no step at the place.
const StepRecord* stepAt(const FigureRun& run, std::int64_t place);
/// The place after the run's last step.
std::int64_t endOf(const FigureRun& run);
std::int64_t endOf(const std::vector<FigureRun>& runs);

/// True if, at each place, all runs that have a step there generated the same token.
bool haveSameTokens(const std::vector<FigureRun>& runs);

/// The axis with the tokens that the runs generated, and ≠ where the tokens differ. If
/// they differ at more than half of the places, the axis has step numbers instead.
FigureAxis tokenAxis(const std::vector<FigureRun>& runs, TokenSpaces spaces);

}  // namespace equipatch
