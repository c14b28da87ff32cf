// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/figure/run_figures.h"

namespace equipatch {

/// RunGrouping::Settings separates runs that begin after step 0 of the common axis
/// (FigureRun::begins) from the others, because a branch's steps have other contexts than
/// its parent's.
struct RunGroup {
  std::string key;
  /// - RunGrouping::Each: the run's name.
  /// - RunGrouping::All: the run's name if there is only one run, otherwise empty.
  /// - RunGrouping::Settings: the name that the user gave to all runs of the group, if no
  ///   other group has this name; otherwise the settings in which the groups differ, with
  ///   "branch" or "branches" if the group consists of branches.
  ///   Exception: if every group is one run and some are branches, the run's name.
  std::string name;
  bool areBranches = false;  ///< the first run begins after 0
  int style = 0;             ///< of the first run; if it has none, the group's index
  std::string colour;        ///< of the first run
  std::vector<const FigureRun*> runs;  ///< at least one
};

/// Groups in the order of their first runs.
/// @param runs must outlive the groups
std::vector<RunGroup> groupsOf(const std::vector<FigureRun>& runs, RunGrouping grouping);

/// "float32 direct open, median of 4 runs, 10 to 90 %"; "of 2 to 5 runs" if the number of
/// runs is not the same at all steps.
/// @param counts the number of runs at each step; at least one step
std::string medianName(const RunGroup& group, const std::vector<std::int64_t>& counts);

}  // namespace equipatch
