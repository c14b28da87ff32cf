// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/run_figures.h"
#include "core/record/branch.h"

namespace equipatch {

/// The argument of placesOf: the runs, then the `known` ones. The result points into both
/// lists, which must outlive it.
std::vector<PlacedRun> placedRuns(const std::vector<FigureRun>& runs,
                                  const std::vector<FigureRun>& known = {});

/// Sets `begins` of each run, the place of its step 0 on a shared axis of steps. Step 0
/// of a branch is one step after the step at which it left its parent. Of several related
/// runs, the one whose step 0 is the earliest begins at 0, even if the others did not
/// branch off it. A run without relatives begins at 0, too.
/// @param known further runs, which are not drawn but tell which runs are related
void alignBranches(std::vector<FigureRun>& runs,
                   const std::vector<FigureRun>& known = {});

/// True if a run begins after 0. Its steps are then counted from step 0 of the related
/// run that begins first, which is an ancestor or another branch.
bool hasBranches(const std::vector<FigureRun>& runs);

}  // namespace equipatch
