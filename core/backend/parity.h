#pragma once

#include "core/base/progress.h"
#include "core/run/parity.h"

namespace equipatch {

/// @throws Error naming what is missing or damaged; Error{Cancelled} when asked to stop.
GoldenResult checkGolden(const std::filesystem::path& folder, Progress& progress);

/// A comparison run that says whether the claim holds.
PatchResult checkPatch(const PatchCheck& check, Progress& progress);

}  // namespace equipatch
