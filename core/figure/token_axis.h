// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/figure/figure_axis.h"
#include "core/figure/run_figures.h"

namespace equipatch {

// The axis by step that several runs share. The place of a step is its number plus
// `FigureRun::begins` of its run. A run's steps begin with step 0, and none is missing.

/// The step that a run took at a place of the axis; null if none.
const StepRecord* stepAt(const FigureRun& run, std::int64_t place);
/// The place after the run's last step.
std::int64_t endOf(const FigureRun& run);
/// The largest `endOf` of the runs.
std::int64_t endOf(const std::vector<FigureRun>& runs);

/// True if at every place all runs that have a step there generated the same token.
bool haveSameTokens(const std::vector<FigureRun>& runs);

/// The axis with the tokens that the runs generated. Where the tokens differ, it has a ≠,
/// which the axis label explains. If they differ at more than half of the places, the
/// axis has step numbers instead.
FigureAxis tokenAxis(const std::vector<FigureRun>& runs, TokenSpaces spaces);

}  // namespace equipatch
