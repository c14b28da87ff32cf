// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/run/patched_checkpoint.h"

namespace equipatch {

/// See Backend::savePatched.
void savePatched(const PatchedCheckpoint& patched, const std::filesystem::path& folder,
                 Progress& progress);

}  // namespace equipatch
