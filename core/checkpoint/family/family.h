#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Translates config.json into plain data, by the family that "architectures" or, without
/// it, "model_type" names. Sizes are within sane limits and consistent with each other,
/// so that nothing computed from them overflows.
/// @param source names the file in error sentences.
/// @throws Error{Unsupported} naming the architecture and what is supported, or a key
/// that
///         would change the computation; Error{BadInput} for values that make no sense.
ModelDescription describeModel(const Json& config, const std::string& source);

/// As "architectures" spells them, in order of registration.
std::vector<std::string> supportedArchitectures();

/// The architecture by config.json's own word, also when it is none that can be computed:
/// the first of "architectures", or else "model_type"; empty when it says neither. Only
/// for showing it.
std::string statedArchitecture(const Json& config);

}  // namespace equipatch
