#pragma once

#include <string>
#include <vector>

#include "core/record/provenance.h"

namespace equipatch {

/// What of the weights differs, a clause each: "config.json is another one",
/// "model.safetensors has another header".
std::vector<std::string> differentWeights(const Provenance& then, const Provenance& now);

}  // namespace equipatch
