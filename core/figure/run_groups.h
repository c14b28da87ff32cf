// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/figure/run_figures.h"

namespace equipatch {

/// Runs that a figure shows together.
struct RunGroup {
  std::string key;
  std::string name;  ///< the settings in which groups differ; empty: of all runs
  std::shared_ptr<const RunHeader> header;  ///< of its first run
  int style = 0;                            ///< of its first run
  std::string colour;
  std::vector<const FigureRun*> runs;  ///< at least one
};

/// Groups in the order of their first runs.
/// @param runs outlive the groups
std::vector<RunGroup> groupsOf(const std::vector<FigureRun>& runs, RunGrouping grouping);

}  // namespace equipatch
