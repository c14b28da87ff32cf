// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/figure/run_figures.h"

namespace equipatch {

/// Runs that a figure shows together. With RunGrouping::Settings, branches are apart from
/// the runs that they left: their steps have other contexts.
struct RunGroup {
  std::string key;
  /// The name that the user gave all of its runs, if no other group has it, or the
  /// settings in which groups differ. With RunGrouping::Each, and where all groups are
  /// single runs and some of them branches, the run's name; with RunGrouping::All of
  /// several runs empty.
  std::string name;
  bool areBranches = false;  ///< its first run begins after 0
  int style = 0;             ///< of its first run; the group's index if that has none
  std::string colour;        ///< of its first run
  std::vector<const FigureRun*> runs;  ///< at least one
};

/// Groups in the order of their first runs.
/// @param runs outlive the groups
std::vector<RunGroup> groupsOf(const std::vector<FigureRun>& runs, RunGrouping grouping);

/// "float32 direct open, median of 4 runs, 10 to 90 %"; "2 to 5 runs" where runs end at
/// different steps.
/// @param counts the number of runs at each step; at least one step
std::string medianName(const RunGroup& group, const std::vector<std::int64_t>& counts);

}  // namespace equipatch
