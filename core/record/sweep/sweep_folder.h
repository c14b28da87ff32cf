// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

#include "core/record/file/run_file.h"
#include "core/record/sweep/sweep_plan.h"

namespace equipatch {

// A sweep's folder holds its plan, sweep.json, and a run file for each finished cell.
// Cells that are being computed are in its folder `work` (cell_claim.h), so several
// programs may fill it at once.

/// Creates the folder with the plan, or checks that it holds the same sweep.
/// @throws Error{BadInput} saying what differs where it holds another; Error as
/// checkExtent and readSweepPlan; Error{Resource} when it cannot be written.
void claimSweepFolder(const std::filesystem::path& folder, const SweepPlan& plan);

/// True if the folder holds a plan.
bool isSweepFolder(const std::filesystem::path& folder);

/// The plan of a folder. @throws Error{BadInput} when the folder is not a sweep's or the
/// plan is damaged; Error{Unsupported} when a newer version wrote it.
SweepPlan readSweepPlan(const std::filesystem::path& folder);

/// The cell's run if it is complete and undamaged. None if it was never started, was
/// interrupted, or if the file is damaged, a newer version's, or holds another run.
/// @throws Error{Resource} when the file cannot be opened at the moment.
std::optional<StoredRun> finishedRun(const std::filesystem::path& folder,
                                     const SweepPlan& plan, const SweepCell& cell);

}  // namespace equipatch
