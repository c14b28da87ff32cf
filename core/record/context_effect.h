// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/record/run_record.h"

namespace equipatch {

// The context's effect on a run, in words and tokens.

/// True if the bare pass has the contextual pass's most likely token, and finite logits.
bool bareAgrees(const StepRecord& step);
/// The same for the ablated pass.
bool ablatedAgrees(const StepRecord& step);

/// The index of the step whose token depends most on the context: the step with the
/// largest KL divergence of the ablated pass from the contextual one. A step without an
/// ablated pass counts with its bare pass. Empty where no step has a finite divergence.
std::optional<std::size_t> mostContextualStep(const Steps& steps);

/// The name of what a patched pass lacks: "the context" if all of it is absorbed, else
/// "the absorbed part".
std::string absorbedPart(const AbsorbedSet& absorbed);

/// The step in one sentence: “With the context “cat”; without it, patched, “cat”;
/// without either “dog”.” Tokens are the most likely ones. In a run that samples, the
/// sampled ones follow; without a bare pass, the last part is missing. The ablated pass
/// has a sentence of its own. If there is no ablated pass, the bare pass agrees, and kept
/// tokens follow absorbed ones, a sentence says that the kept tokens may hold some of the
/// absorbed part.
std::string stepSentence(const StepRecord& step, const AbsorbedSet& absorbed);
/// The sentence of step `at` of a run. If the run has several steps and this is the most
/// contextual one, the sentence adds that the context matters most here.
std::string stepSentence(const Steps& steps, std::size_t at, const AbsorbedSet& absorbed);

/// The run in one sentence: how often the patched and the bare pass have the most likely
/// token of the contextual pass.
std::string runSentence(const Steps& steps, const AbsorbedSet& absorbed);

/// How many tokens agree, and how far the logits are off without the absorbed part and
/// with the patch: "35 of 35 tokens agree; without the context logits are off by 17.4,
/// patched by 0.01 (medians of L∞)." For a run that samples, the sentence begins "38 of
/// 40 most likely tokens agree, 37 of the sampled ones".
std::string agreementSentence(const RunSummary& summary, const AbsorbedSet& absorbed);

/// A sign that a model hardly knows how to continue its prompt.
enum class Doubt {
  None,
  Guesses,  ///< it gives a low probability to its own first token, or first tokens
  Repeats,  ///< it chooses one token four times in a row, though it could end the text
  Ends,     ///< its first token ends the sequence
};
/// The doubt about a run. If several apply, it is the last one in the order of Doubt.
Doubt doubtOf(const Steps& steps, const RunRequest& request, RunEnding ending);

/// The text of the token that the run continued with: in a free run the patched pass's.
const std::string& continuedText(const StepRecord& step);
/// The bytes that this token adds to the run's text; they may end within a character. If
/// the record lacks them, the token's text.
const std::string& continuedBytes(const StepRecord& step);
/// Whether two runs continued with the same text at these steps. Ids do not tell, because
/// the models may have different vocabularies. If a record lacks the bytes, both texts
/// and ids must be equal, because different parts of characters have the same text.
bool continueAlike(const StepRecord& a, const StepRecord& b);

/// The tokens of one pass as one text; a token need not end at the end of a character.
struct PassText {
  /// For each step, the byte of `text` at which its token begins.
  std::vector<std::size_t> begins;
  std::string text;
};
/// The tokens that the run continued with: the contextual pass's, in a free run the
/// patched pass's.
PassText continuedText(const Steps& steps);
/// The same text for people: without the token that ended the sequence, unless this token
/// came at the last requested step.
std::string readableText(const Steps& steps, const RunRequest& request, RunEnding ending);
/// The token that the contextual pass chose at each step, after the run's own history.
PassText contextualText(const Steps& steps);
/// The token that the patched pass chose at each step, after the same history.
PassText patchedText(const Steps& steps);

/// Finds the tokens from `first` on that are shown together because a character extends
/// over them. A token is shown alone if no token completes the character that it begins.
/// @returns the index of the last of these tokens plus one
std::size_t endOfCharacter(const PassText& pass, std::size_t first);

/// The request for an unpatched run without the absorbed context. Its prompt has the
/// tokens that the bare pass of the first step sees, at positions from 0 on. Images are
/// included only if they are kept as a whole. Unlike the bare pass, this run computes
/// kept tokens without the absorbed ones.
/// @param steps the largest number of steps of the new run
RunRequest bareRequest(const RunRequest& run, std::int64_t steps);

}  // namespace equipatch
