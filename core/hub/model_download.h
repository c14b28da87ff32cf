// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/progress.h"
#include "core/hub/hub_files.h"
#include "core/hub/hub_settings.h"

namespace equipatch {

/// The number of bytes of a model that the cache lacks; those of a partly downloaded file
/// count as present. @throws Error{BadInput} when `cache` is empty.
std::uint64_t missingBytes(const HubModel& model, const std::filesystem::path& cache);

/// Downloads the files of a model that the cache lacks: four at a time, each resumed
/// where an earlier attempt ended and verified by its hash. The files are linked into
/// a snapshot only when all are complete. Programs that download the same file at once
/// take turns.
/// @returns the snapshot's folder
/// @throws Error{Resource} when the disk is full or cannot be written, or the hub cannot
/// be used; Error{BadInput} when the model may not be read, there is no cache, or a file
/// is not what the hub announced; Error{Cancelled}. The parts downloaded so far are kept,
/// except a complete file with a wrong hash.
std::filesystem::path downloadModel(const HubSettings& settings, const HubModel& model,
                                    Progress& progress);

}  // namespace equipatch
