// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/sampler.h"
#include "core/patch/patch_options.h"
#include "core/record/absorbed_set.h"
#include "core/record/prompt_image.h"
#include "core/record/step_record.h"
#include "core/text/token.h"
#include "core/text/tokenizer.h"

namespace equipatch {

enum class Execution {
  Lockstep,  ///< all passes layer by layer, each weight read once
  Separate,  ///< record, build the patch, then run the patched model alone; slow, the
             ///< reference for Lockstep
};

/// Where a run branched off another run, its parent. The defaults mean: no branch.
struct BranchOrigin {
  static constexpr std::int64_t kNotRecorded = -1;

  std::string file;  ///< name of the parent's file; empty: not recorded
  /// By how many tokens the prompt is longer than the earliest ancestor's. 0: no branch;
  /// kNotRecorded in files of older versions.
  std::int64_t tokens = 0;

  bool operator==(const BranchOrigin&) const = default;
};

/// Everything that determines a comparison run besides the session (model, dtype,
/// device).
struct RunRequest {
  std::string promptText;  ///< empty when only ids were given
  /// How `promptText` was tokenized: Written if a chat template made it; Add also where
  /// an older run file does not record it.
  SpecialTokens specials = SpecialTokens::Add;
  std::vector<Token> prompt;  ///< at least one token; the last one is x of step 0
  std::vector<PromptImage> images = {};  ///< in the order of their tokens
  std::int64_t steps = 64;
  BranchOrigin branch = {};
  AbsorbedSet absorbed;  ///< the part of the context that the patch replaces
  PatchOptions patch;
  PatchStrength strength;  ///< factor of the patch, and the patched layers
  Execution execution = Execution::Lockstep;
  Sampling sampling;
  bool bare = true;           ///< also run the bare pass, the control
  bool ablated = false;       ///< also run the original weights without the absorbed part
  bool audit = false;         ///< replay each patch with every sum in another order
  bool measureNoise = false;  ///< run the contextual pass again with other rounding
  bool freeRun = false;       ///< append the patched pass's token to the history
  bool roundLogits = false;   ///< round logits to the dtype, as frameworks do
  bool ignoreEndOfSequence = false;
  bool keepPictures = true;      ///< a run file holds the images' bytes, not only hashes
  bool keepFactors = false;      ///< records hold the whole patch: megabytes per step
  std::int64_t topChoices = 10;  ///< candidates that a record keeps per pass; at least 2

  /// If false, each pass takes its most likely token.
  bool samples() const { return sampling.temperature > 0.0; }
  /// False also where the whole context is absorbed: the ablated pass would then be the
  /// bare pass, at position 0.
  bool runsAblated() const { return ablated && !absorbed.whole(); }

  bool operator==(const RunRequest&) const = default;
};

/// The prompt's text with each image's name in place of its tokens, as in
/// "[cat.png]What is this?"; "ids 2 651 5270" when only ids were given.
std::string shownPrompt(const RunRequest& request);

/// The request for a branch of `run`. Its prompt is the prompt of `run`, the tokens that
/// the steps `before` appended, and `next`. The absorbed part stays the same: the added
/// tokens become kept positions only if `run` keeps generated tokens.
/// @param file name of the file of `run`, without its folder; empty if there is none
RunRequest branchedRequest(const RunRequest& run,
                           const std::vector<std::shared_ptr<const StepRecord>>& before,
                           const Choice& next, const std::string& file = {});

/// "step 16: snow": the step at which the branch leaves its parent, counted from the end
/// of an ancestor's prompt, and the branch's token at this step.
/// @param tokens by how many tokens the branch's prompt is longer than that ancestor's
std::string branchWords(const RunRequest& branch, std::int64_t tokens);

}  // namespace equipatch
