// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/run_figures.h"
#include "core/record/branch.h"

namespace equipatch {

/// What placesOf needs of the runs and, after them, of `known`. Both outlive the result.
std::vector<PlacedRun> placedRuns(const std::vector<FigureRun>& runs,
                                  const std::vector<FigureRun>& known = {});

/// Sets where runs begin on an axis of steps that they share. Steps are counted from
/// the parent's step 0: a run begins at 0, its branch one step after that at which it
/// left. An unrelated run begins at 0, and so does the earliest of several branches
/// without their parent.
/// @param known further runs, which are not drawn but tell which runs are related
void alignBranches(std::vector<FigureRun>& runs,
                   const std::vector<FigureRun>& known = {});

/// True if a run begins after 0: the axis then counts the steps of the run that it is
/// beside, its earliest ancestor or another branch.
bool hasBranches(const std::vector<FigureRun>& runs);

}  // namespace equipatch
