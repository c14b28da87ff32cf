#pragma once

#include <memory>

#include "core/backend/step_passes.h"
#include "core/patch/patch.h"
#include "core/record/patch_factors.h"

namespace equipatch {

/// The whole patch of a step and what it was computed from, as plain data.
std::shared_ptr<const PatchFactors> patchFactors(const PassResults& results);

/// A patch for several tokens: each of a matrix's columns as a rank-1 change of its own.
PatchFactors patchFactors(const SharedPatch& patch);

}  // namespace equipatch
