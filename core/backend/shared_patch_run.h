#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/record/shared_patch_record.h"
#include "core/run/comparison.h"
#include "core/run/session.h"

namespace equipatch {

/// Builds one set of patched weights that is exact for all these tokens, and checks it by
/// a plain forward over them without the context (docs/maths.md).
/// @throws Error{BadInput} when positions do not fit prompt and model, or naming layer
///         and matrix where no such weights exist; Error{Cancelled}.
SharedPatchRecord makeSharedPatch(std::shared_ptr<const Session> session,
                                  SharedPatchRequest request, Progress& progress);

}  // namespace equipatch
