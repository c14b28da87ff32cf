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
/// count as present.
std::uint64_t missingBytes(const HubModel& model, const std::filesystem::path& cache);

/// Brings a model into the cache: four files at a time, each resumed where an earlier
/// attempt ended, verified by its hash, and linked into a snapshot only when all are
/// complete. Programs that download the same file at once take turns.
/// @returns the snapshot's folder
/// @throws Error{Resource} when the disk lacks room or refuses something, or the hub
/// cannot be reached; Error{BadInput} when a file is not what the hub announced;
/// Error{Cancelled}. What is downloaded so far is kept.
std::filesystem::path downloadModel(const HubSettings& settings, const HubModel& model,
                                    Progress& progress);

}  // namespace equipatch
