#pragma once

#include <string>

#include "core/base/json.h"

namespace equipatch {

/// The architecture by config.json's own word, also when it is none that can be computed:
/// the first of "architectures", or else "model_type"; empty when it says neither. Only
/// for showing it.
std::string statedArchitecture(const Json& config);

}  // namespace equipatch
