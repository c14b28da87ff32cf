// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/run_figures.h"
#include "core/record/branch.h"

namespace equipatch {

/// `runs`, then `known`, as placesOf takes them. Both lists must outlive the result.
std::vector<PlacedRun> placedRuns(const std::vector<FigureRun>& runs,
                                  const std::vector<FigureRun>& known = {});

/// Sets FigureRun::begins. Step 0 of a branch is one step after the step at which the
/// branch left its parent. Among related runs, the run with the earliest step 0 begins at
/// 0, even if it is not an ancestor of the others.
/// @param known further runs, which are not drawn but may be ancestors of `runs`
void alignBranches(std::vector<FigureRun>& runs,
                   const std::vector<FigureRun>& known = {});

/// True if a run begins after 0.
bool hasBranches(const std::vector<FigureRun>& runs);

}  // namespace equipatch
