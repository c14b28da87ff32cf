// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/figure/figure_axis.h"
#include "core/figure/run_figures.h"

namespace equipatch {

// The axis by step that several runs share. A run's step stands at its number plus
// `FigureRun::begins`; runs have all their steps from step 0 on.

/// The step that a run took at a place of the axis; null if none.
const StepRecord* stepAt(const FigureRun& run, std::int64_t place);
/// The place after the last step.
std::int64_t endOf(const FigureRun& run);
/// The place after the last step of all runs.
std::int64_t endOf(const std::vector<FigureRun>& runs);

/// True if all runs generated the same tokens, as far as they go.
bool haveSameTokens(const std::vector<FigureRun>& runs);

/// The axis with the tokens that the runs generated, and ≠ where they differ, which its
/// label explains. If they differ at more than half of the places, an axis with step
/// numbers instead.
FigureAxis tokenAxis(const std::vector<FigureRun>& runs, TokenSpaces spaces);

}  // namespace equipatch
