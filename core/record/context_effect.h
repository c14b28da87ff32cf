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
/// Likewise of the ablated pass.
bool ablatedAgrees(const StepRecord& step);

/// The step whose token depends most on the context: where the ablated pass, or the bare
/// one where there is none, is farthest from the contextual pass, by KL divergence. An
/// index of `steps`; empty where no step has such a pass at a finite distance.
std::optional<std::size_t> mostContextualStep(const Steps& steps);

/// What a patched pass lacks: "the context", or "the absorbed part" of it.
std::string absorbedPart(const AbsorbedSet& absorbed);

/// The step in one sentence: “With the context “cat”; without it, patched, “cat”;
/// without either “dog”.” Tokens are the most likely ones. In a run that samples, the
/// sampled ones follow; without a bare pass, the last part is missing. The ablated pass
/// has a sentence of its own. Without it, where the bare pass agrees and kept tokens
/// follow absorbed ones, a sentence says that they may hold some of the absorbed part.
std::string stepSentence(const StepRecord& step, const AbsorbedSet& absorbed);
/// The sentence of one step of a run. If the run has several, that of the most contextual
/// step adds that the context matters most there.
std::string stepSentence(const Steps& steps, std::size_t at, const AbsorbedSet& absorbed);

/// The run in one sentence: how often the patched and the bare pass have the most likely
/// token of the contextual pass.
std::string runSentence(const Steps& steps, const AbsorbedSet& absorbed);

/// How far the logits are off without what was absorbed, and how far with the patch: "35
/// of 35 tokens agree; without the context logits are off by 17.4, patched by 0.01
/// (medians of L∞)." A run that samples has "38 of 40 most likely tokens agree, 37 of the
/// sampled ones".
std::string agreementSentence(const RunSummary& summary, const AbsorbedSet& absorbed);

/// A sign that a model hardly knows how to continue its prompt.
enum class Doubt {
  None,
  Guesses,  ///< it gives a low probability to its own first token, or first tokens
  Repeats,  ///< it takes one token four times in a row, although it may end the text
  Ends,     ///< its first token ends the sequence
};
/// The doubt about a run; of several, the last one in the order of Doubt.
Doubt doubtOf(const Steps& steps, const RunRequest& request, RunEnding ending);

/// The text of the token that the run continued with: in a free run the patched pass's.
const std::string& continuedText(const StepRecord& step);
/// The bytes that this token adds to the run's text, which may end within a character; in
/// a record without them, the token's text.
const std::string& continuedBytes(const StepRecord& step);
/// Whether two runs continued with the same text. Ids do not tell it, because the models
/// may have different vocabularies; in records without the bytes, ids must be equal too,
/// because tokens within a character have the same text.
bool continueAlike(const StepRecord& a, const StepRecord& b);

/// The tokens of one pass as one text; a token need not end at the end of a character.
struct PassText {
  /// Bytes at which the token of each step begins.
  std::vector<std::size_t> begins;
  std::string text;
};
/// The tokens that the run continued with: the contextual pass's, in a free run the
/// patched pass's.
PassText continuedText(const Steps& steps);
/// The same as a reader sees it: without the token that ended the text, unless it came
/// at the last step that was asked for.
std::string readableText(const Steps& steps, const RunRequest& request, RunEnding ending);
/// The token that the contextual pass chose at each step, after the same history.
PassText contextualText(const Steps& steps);
/// The same of the patched pass.
PassText patchedText(const Steps& steps);

/// The end (index of the last plus one) of the tokens from `first` on that are shown
/// together, because one character extends over them. A token is shown alone if no token
/// completes the character that it begins.
std::size_t endOfCharacter(const PassText& pass, std::size_t first);

/// The request for a run of the model on its own, without the absorbed context: its
/// prompt has the tokens that the bare pass of the first step sees, at positions from 0
/// on, and images that are kept as a whole. Unlike the bare pass, it computes kept tokens
/// without the absorbed ones.
/// @param steps the most that the new run takes
RunRequest bareRequest(const RunRequest& run, std::int64_t steps);

}  // namespace equipatch
