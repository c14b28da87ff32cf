#pragma once

#include <vector>

#include "core/record/patch_factors.h"
#include "core/run/session.h"

namespace equipatch {

/// Every parameter that a patch of the session's model may change, layer by layer.
std::vector<PatchedParameter> patchedParameters(const Session& session);

}  // namespace equipatch
