// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/progress.h"
#include "core/hub/hub_files.h"
#include "core/hub/hub_settings.h"

namespace equipatch {

/// The bytes of a model that the cache lacks; parts of incomplete files count as present.
/// @throws Error{BadInput} when `cache` is empty.
std::uint64_t missingBytes(const HubModel& model, const std::filesystem::path& cache);

/// Downloads the model's missing files into `settings.cache`. Each file is resumed where
/// an earlier attempt ended, and verified by its hash. The snapshot gets the files only
/// when all are complete. Other programs may download the same files at the same time.
/// @returns the snapshot's folder
/// @throws Error{Resource} when the disk is full or cannot be written, or the hub cannot
/// be used; Error{BadInput} when the model is not accessible, `settings.cache` is empty,
/// or a file has another size or hash than the hub announced; Error{Cancelled}. After an
/// error, downloaded parts are kept, except a complete file with a wrong hash.
std::filesystem::path downloadModel(const HubSettings& settings, const HubModel& model,
                                    Progress& progress);

}  // namespace equipatch
