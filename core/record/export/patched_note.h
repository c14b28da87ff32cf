// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "core/record/shared_patch_record.h"

namespace equipatch {

/// A token that a checkpoint with patched weights was made for.
struct PatchedToken {
  TokenId x;
  TokenId next;  ///< what the contextual pass predicts after `x`
};

/// The `compare` command that tries a checkpoint with patched weights on its tokens. The
/// command omits the last tokens that equal the `next` of their predecessors: the
/// checkpoint generates these itself. The command shows what follows the last given token
/// and each generated one.
/// @param folder of the checkpoint, quoted for a shell if need be
/// @param computesFloat32 whether the command computes in float32, as the run did
std::string commandForPatched(const std::string& folder,
                              const std::vector<PatchedToken>& tokens,
                              bool computesFloat32);

/// The words that introduce commandForPatched's command, without a colon: "To see it". If
/// the command does not show every token's successor, the words say how to see the rest.
std::string leadOfCommand(const std::vector<PatchedToken>& tokens);

std::vector<PatchedToken> patchedTokensOf(const SharedPatchRecord& record);

/// The README.md of a checkpoint whose weights were patched for a step's token.
/// @param header of the run that took the step
std::string patchedCheckpointReadme(const RunHeader& header, const StepRecord& step);
std::string patchedCheckpointReadme(const RunHeader& header,
                                    const SharedPatchRecord& record);

}  // namespace equipatch
