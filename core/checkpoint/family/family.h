// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Translates config.json by the family that "architectures" or, if that key is absent,
/// "model_type" names. The text model's sizes are within limits and fit together; the
/// product of two sizes does not overflow.
/// @param source names the file in error messages
/// @throws Error{Unsupported} for an architecture, a key or a value that is not
///         supported; Error{BadInput} for invalid values.
ModelDescription describeModel(const Json& config, const std::string& source);

/// Spelled as in "architectures", in order of registration.
std::vector<std::string> supportedArchitectures();

/// The first of "architectures", otherwise "model_type", whether supported or not; empty
/// if neither is a string. For display only.
std::string statedArchitecture(const Json& config);

}  // namespace equipatch
