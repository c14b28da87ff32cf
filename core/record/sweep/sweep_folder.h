// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

#include "core/record/file/run_file.h"
#include "core/record/sweep/sweep_plan.h"

namespace equipatch {

// A sweep's folder holds its plan, sweep.json, and a run file for each finished cell.
// Cells that are being computed are in its subfolder `work`. Several programs may fill
// one sweep's folder at once (cell_claim.h).

/// Creates the folder if absent, and writes the plan unless there is one. Checks that the
/// plan in the folder is of this sweep.
/// @throws Error{BadInput} naming the differences from another sweep's plan; Error as
/// checkExtent and readSweepPlan; Error{Resource} when the folder cannot be written.
void claimSweepFolder(const std::filesystem::path& folder, const SweepPlan& plan);

/// True if the folder holds a plan, valid or not.
bool isSweepFolder(const std::filesystem::path& folder);

/// @throws Error{BadInput} when the folder is not a sweep's or the plan is damaged;
/// Error{Unsupported} when a newer version wrote the plan.
SweepPlan readSweepPlan(const std::filesystem::path& folder);

/// The cell's run if it is complete and undamaged. None also if the cell's file holds
/// another run, or if a newer version wrote the file.
/// @throws Error{Resource} when the file cannot be opened at the moment.
std::optional<StoredRun> finishedRun(const std::filesystem::path& folder,
                                     const SweepPlan& plan, const SweepCell& cell);

}  // namespace equipatch
