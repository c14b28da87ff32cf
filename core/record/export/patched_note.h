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
  TokenId next;  ///< the contextual pass's token after it
};

/// The `compare` command that tries a checkpoint with patched weights on its tokens. The
/// command gets the tokens as ids, except tokens at the end that equal the `next` of the
/// token before: the checkpoint generates these itself. The command shows the successors
/// of the last id and of every generated token.
/// @param folder of the checkpoint, quoted for a shell if need be
/// @param computesFloat32 whether the run, and thus the command, computes in float32
std::string commandForPatched(const std::string& folder,
                              const std::vector<PatchedToken>& tokens,
                              bool computesFloat32);

/// The words that introduce that command, without the colon: "To see it". If the command
/// does not show every token's successor, they also say how to see the others.
std::string leadOfCommand(const std::vector<PatchedToken>& tokens);

/// A shared patch's tokens, for the two functions above.
std::vector<PatchedToken> patchedTokensOf(const SharedPatchRecord& record);

/// The README.md of a checkpoint with patched weights: the run, the token that the
/// checkpoint must be given, and the next token that it is meant to predict then.
/// @param header of the run that took the step
std::string patchedCheckpointReadme(const RunHeader& header, const StepRecord& step);

/// The same for a patch shared by several tokens.
std::string patchedCheckpointReadme(const RunHeader& header,
                                    const SharedPatchRecord& record);

}  // namespace equipatch
