// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "core/work/job.h"

namespace equipatch {

/// Copies the run file `from` to `to`, byte by byte. No program can record into the run
/// meanwhile. An existing file `to` is replaced when the copy is complete; after a stop
/// or a failure it is unchanged. The job fails if a program is recording into either
/// file, if `from` changes meanwhile, or if the copy cannot be written. It does nothing
/// if both are the same file.
std::unique_ptr<Job> makeSaveRunJob(std::filesystem::path from, std::filesystem::path to);

}  // namespace equipatch
