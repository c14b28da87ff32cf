// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "core/work/job.h"

namespace equipatch {

/// Copies the run file `from` to `to`. No program can record into `from` meanwhile. An
/// existing file `to` is replaced only when the copy is complete. The job fails if a
/// program is recording into either file, or if `from` changes meanwhile. If both are the
/// same file, the job does nothing.
std::unique_ptr<Job> makeSaveRunJob(std::filesystem::path from, std::filesystem::path to);

}  // namespace equipatch
