// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/record/shared_patch_record.h"
#include "core/run/comparison.h"
#include "core/run/session.h"

namespace equipatch {

/// See Backend::makeSharedPatch.
SharedPatchRecord makeSharedPatch(std::shared_ptr<const Session> session,
                                  SharedPatchRequest request, Progress& progress);

}  // namespace equipatch
