// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/run_figures.h"
#include "core/record/branch.h"

namespace equipatch {

/// What placesOf needs of the runs and, after them, of `known`. Both outlive the result.
std::vector<PlacedRun> placedRuns(const std::vector<FigureRun>& runs,
                                  const std::vector<FigureRun>& known = {});

/// Sets where runs begin on an axis of steps that they share. Of related runs, the one
/// that begins first begins at 0, whether or not the others branched off it; a branch
/// begins one step after that at which it left its parent. An unrelated run begins at 0.
/// @param known further runs, which are not drawn but tell which runs are related
void alignBranches(std::vector<FigureRun>& runs,
                   const std::vector<FigureRun>& known = {});

/// True if a run begins after 0: the axis then counts its steps from step 0 of the
/// related run that begins first, an ancestor or another branch.
bool hasBranches(const std::vector<FigureRun>& runs);

}  // namespace equipatch
