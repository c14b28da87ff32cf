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

/// The command that gives a checkpoint with patched weights the tokens it was made for,
/// and computes as the run did. It shows what follows the last of them and what follows
/// those directly before it that generate their successors.
/// @param folder of the checkpoint, quoted for a shell if need be
std::string commandForPatched(const std::string& folder,
                              const std::vector<PatchedToken>& tokens,
                              bool computesFloat32);

/// "To see it", to be followed by a colon and that command; where the command cannot show
/// what follows each token, it says how to see the rest.
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
