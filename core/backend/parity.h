// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/run/parity.h"

namespace equipatch {

/// See Backend::checkGolden.
GoldenResult checkGolden(const std::filesystem::path& folder, Progress& progress);

/// See Backend::checkPatch.
PatchResult checkPatch(const PatchCheck& check, Progress& progress);

}  // namespace equipatch
