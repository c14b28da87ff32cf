// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Translates config.json into a ModelDescription. The family is selected by
/// "architectures" or, if that key is absent, by "model_type". Sizes are within limits
/// and consistent with each other; the product of two sizes does not overflow.
/// @param source names the file in error messages
/// @throws Error{Unsupported} naming the architecture and the supported ones, or a key
///         that would change the computation; Error{BadInput} for invalid values.
ModelDescription describeModel(const Json& config, const std::string& source);

/// Supported architectures as "architectures" spells them, in order of registration.
std::vector<std::string> supportedArchitectures();

/// The architecture as config.json states it, supported or not: the first of
/// "architectures", otherwise "model_type"; empty when both are absent. For display only.
std::string statedArchitecture(const Json& config);

}  // namespace equipatch
