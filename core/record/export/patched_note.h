// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/record/run_record.h"
#include "core/record/shared_patch_record.h"

namespace equipatch {

/// The README.md of a checkpoint with patched weights: the run, the token that the
/// checkpoint must be given, and the next token that it then predicts.
/// @param header of the run that took the step
std::string patchedCheckpointReadme(const RunHeader& header, const StepRecord& step);

/// The same for a patch shared by several tokens.
std::string patchedCheckpointReadme(const RunHeader& header,
                                    const SharedPatchRecord& record);

}  // namespace equipatch
