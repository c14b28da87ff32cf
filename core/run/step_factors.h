#pragma once

#include <memory>

#include "core/run/patch_factors.h"
#include "core/run/step_passes.h"

namespace equipatch {

/// The whole patch of a step and what it was computed from, as plain data.
std::shared_ptr<const PatchFactors> patchFactors(const PassResults& results);

}  // namespace equipatch
