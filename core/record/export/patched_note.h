// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "core/record/shared_patch_record.h"

namespace equipatch {

/// The command that gives a checkpoint with patched weights the tokens it was made for,
/// and computes as the run did.
/// @param folder of the checkpoint, quoted for a shell if need be
std::string commandForPatched(const std::string& folder, const std::vector<TokenId>& ids,
                              bool computesFloat32);

/// The README.md of a checkpoint with patched weights: the run, the token that the
/// checkpoint must be given, and the next token that it is meant to predict then.
/// @param header of the run that took the step
std::string patchedCheckpointReadme(const RunHeader& header, const StepRecord& step);

/// The same for a patch shared by several tokens.
std::string patchedCheckpointReadme(const RunHeader& header,
                                    const SharedPatchRecord& record);

}  // namespace equipatch
