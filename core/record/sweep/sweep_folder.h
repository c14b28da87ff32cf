#pragma once

#include <filesystem>
#include <optional>

#include "core/record/file/run_file.h"
#include "core/record/sweep/sweep_plan.h"

namespace equipatch {

// The folder of a sweep holds its plan, sweep.json, and a run file for each cell that was
// begun. Several programs may compute different shards in it at once.

/// Makes the folder this sweep's, or finds that it is already.
/// @throws Error{BadInput} saying what differs where it is another's; Error{Resource}
/// when it cannot be written.
void claimSweepFolder(const std::filesystem::path& folder, const SweepPlan& plan);

/// The plan of a folder. @throws Error{BadInput} when it is no sweep's or damaged.
SweepPlan readSweepPlan(const std::filesystem::path& folder);

/// The cell's run where it is finished: complete and whole. Nothing where it was never
/// begun or interrupted, where the file is damaged, or another run's.
std::optional<StoredRun> finishedRun(const std::filesystem::path& folder,
                                     const SweepPlan& plan, const SweepCell& cell);

}  // namespace equipatch
