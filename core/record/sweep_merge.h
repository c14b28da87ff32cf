#pragma once

#include <filesystem>
#include <vector>

#include "core/record/sweep/sweep_table.h"

namespace equipatch {

/// The finished cells of one or more folders of sweeps as one table. The folders may
/// hold shards of one sweep or other prompts and grids; a cell that several of them have
/// finished counts once.
/// @throws Error{BadInput} saying what differs where they were not run alike, or not with
/// the same weights.
SweepTable mergeSweeps(const std::vector<std::filesystem::path>& folders);

/// Before `writeSweepCsv` is asked for without a question: nothing stands there, or such
/// a table. @throws Error{BadInput} naming the path when something else does.
void requireOwnSweepCsv(const std::filesystem::path& path);

/// The table as CSV (docs/sweeps.md). @throws Error{Resource} when it cannot be written.
void writeSweepCsv(const SweepTable& table, const std::filesystem::path& path);

}  // namespace equipatch
