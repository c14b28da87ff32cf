// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "core/work/job.h"

namespace equipatch {

/// Copies a run file to another place, byte by byte. Nobody records into the run
/// meanwhile. Until the copy is whole, and after a stop or a failure, a file of that name
/// stays as it was. The job fails if either file is being recorded, the run's file
/// changes meanwhile, or the copy cannot be written. A run saved as itself stays as it
/// is.
std::unique_ptr<Job> makeSaveRunJob(std::filesystem::path from, std::filesystem::path to);

}  // namespace equipatch
