// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/record/file/run_file.h"

namespace equipatch {

/// Writes run.csv, steps.csv, choices.csv, layers.csv and, where blocks close with a norm
/// scale, scale_delta.csv into the folder, which is made if need be. UTF-8, commas, a
/// line of headings, values in full precision; cells that the run lacks are empty.
/// @throws Error{Resource} when something cannot be written.
void exportCsv(const StoredRun& run, const std::filesystem::path& folder);

/// Checks that `exportCsv` would overwrite nothing but its own tables.
/// @throws Error{BadInput} naming a file that something else wrote.
void requireOwnTables(const std::filesystem::path& folder);

}  // namespace equipatch
