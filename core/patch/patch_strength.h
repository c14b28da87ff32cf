#pragma once

#include "core/model/weights.h"
#include "core/patch/patch.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// αΔ on the chosen layers and nothing elsewhere: every matrix's change times α, and
/// scales and biases at m + α (m' − m), b + α (b' − b). α = 1 on all layers is the patch
/// itself.
/// @param patch of the model that `spec` and `weights` describe
Patch strengthened(const Patch& patch, const ModelSpec& spec, const Weights& weights,
                   const PatchStrength& strength);

}  // namespace equipatch
