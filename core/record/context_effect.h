// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/record/run_record.h"

namespace equipatch {

/// True if the bare and the contextual pass have the same most likely token and finite
/// logits.
bool bareAgrees(const StepRecord& step);
/// The same for the ablated pass.
bool ablatedAgrees(const StepRecord& step);

/// The index of the step with the largest finite divergence KL(contextual ‖ ablated). The
/// bare pass stands for the ablated pass in steps without one. Empty if no step has a
/// finite divergence.
std::optional<std::size_t> mostContextualStep(const Steps& steps);

/// "the context" if the whole context is absorbed, else "the absorbed part".
std::string absorbedPart(const AbsorbedSet& absorbed);

/// Each pass's most likely token: “With the context “cat”; without it, patched, “cat”;
/// without either “dog”.” Further sentences may name the ablated pass's token, say that
/// kept tokens may hold some of the absorbed part, or name the sampled tokens.
std::string stepSentence(const StepRecord& step, const AbsorbedSet& absorbed);
/// The same for step `at` of a run; also says if the absorbed part matters most there.
std::string stepSentence(const Steps& steps, std::size_t at, const AbsorbedSet& absorbed);

/// How often the patched and the bare pass have the contextual pass's most likely token.
std::string runSentence(const Steps& steps, const AbsorbedSet& absorbed);

/// "35 of 35 tokens agree; without the context logits are off by 17.4, patched by 0.01
/// (medians of L∞)." For a run that samples, the sentence begins "38 of 40 most likely
/// tokens agree, 37 of the sampled ones".
std::string agreementSentence(const RunSummary& summary, const AbsorbedSet& absorbed);

/// A sign that a model hardly knows how to continue its prompt.
enum class Doubt {
  None,
  Guesses,  ///< the most likely first token, or the first few, have a low probability
  Repeats,  ///< four equal tokens in a row in a run that stops at the end of sequence
  Ends,     ///< the first token ends the sequence
};
/// The doubt about a run; of several, the last in the order of Doubt.
Doubt doubtOf(const Steps& steps, const RunRequest& request, RunEnding ending);

/// The text of the token that the run continued with: the contextual pass's token, with
/// RunRequest::freeRun the patched pass's.
const std::string& continuedText(const StepRecord& step);
/// The bytes that this token adds to the run's text; they may end within a character. If
/// the record lacks the bytes, returns the token's text.
const std::string& continuedBytes(const StepRecord& step);
/// Whether two runs continued with the same text at these steps. Compares bytes, because
/// the models may have different vocabularies. If a record lacks the bytes, compares
/// texts and ids, because different parts of characters may have the same text.
bool continueAlike(const StepRecord& a, const StepRecord& b);

/// Tokens, one for each step, as one text; a token may end within a character.
struct PassText {
  /// For each step, the byte of `text` at which its token begins.
  std::vector<std::size_t> begins;
  std::string text;
};
/// The tokens that the run continued with.
PassText continuedText(const Steps& steps);
/// The same text without the token that ended the sequence, unless this token came at the
/// last requested step.
std::string readableText(const Steps& steps, const RunRequest& request, RunEnding ending);
/// The token that the pass chose at each step. The history before a step consists of the
/// tokens that the run continued with, not of the pass's earlier choices.
PassText contextualText(const Steps& steps);
PassText patchedText(const Steps& steps);

/// The end (exclusive) of the tokens from `first` on that are shown together because
/// characters extend over them. `first` + 1 if such a character stays incomplete or is
/// invalid.
std::size_t endOfCharacter(const PassText& pass, std::size_t first);

/// The request for an unpatched run without the absorbed context. Its prompt has the
/// tokens that the bare pass of the first step sees, at positions from 0 on; images that
/// are kept only in part are left out. Unlike in the bare pass, the keys and values of
/// kept tokens are computed without the absorbed tokens.
/// @param steps the new run has at most this many steps
RunRequest bareRequest(const RunRequest& run, std::int64_t steps);

}  // namespace equipatch
