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

/// Creates the folder with the plan, or checks that it holds the same sweep.
/// @throws Error{BadInput} naming the differences when it holds another sweep; Error as
/// checkExtent and readSweepPlan; Error{Resource} when the folder cannot be written.
void claimSweepFolder(const std::filesystem::path& folder, const SweepPlan& plan);

/// True if the folder holds a plan.
bool isSweepFolder(const std::filesystem::path& folder);

/// The plan of a folder. @throws Error{BadInput} when the folder is not a sweep's or the
/// plan is damaged; Error{Unsupported} when a newer version wrote it.
SweepPlan readSweepPlan(const std::filesystem::path& folder);

/// The cell's run if it is complete and undamaged. None if the run was never started or
/// was interrupted, if its file is damaged or a newer version wrote it, or if the file
/// holds another run.
/// @throws Error{Resource} when the file cannot be opened at the moment.
std::optional<StoredRun> finishedRun(const std::filesystem::path& folder,
                                     const SweepPlan& plan, const SweepCell& cell);

}  // namespace equipatch
