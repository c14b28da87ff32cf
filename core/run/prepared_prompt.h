// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/carried_marks.h"
#include "core/record/run_request.h"
#include "core/run/prompt_images.h"
#include "core/run/session.h"
#include "core/text/chat/chat_template.h"
#include "core/text/tokenizer.h"

namespace equipatch {

/// How the text of a prompt is interpreted.
enum class PromptForm {
  Text,  ///< the model reads it unchanged
  Chat,  ///< a user's message, which the model's chat template renders
  Ids,   ///< token ids, taken as they are: "2, 17, 42"
};

/// A prompt as the user gives it, in the editor, on the command line or in a sweep.
struct PromptSource {
  std::string text;
  std::vector<TokenId> ids = {};  ///< taken as they are, in place of a text
  PromptForm form = PromptForm::Text;
  SpecialTokens specials = SpecialTokens::Add;  ///< a rendered Chat contains its own
  /// Of a Chat: the system message, which comes first.
  std::optional<std::string> system = {};
  std::string absorb = "all";  ///< as `parseAbsorbedSet` reads it
  /// The absorbed part as marked on other tokens or on an earlier version of the text, in
  /// place of `absorb`. A prompt of ids ignores it.
  std::optional<TextMarks> marks = {};
  /// In the order of their places. If a Chat's text marks no places for the images, they
  /// come before the text.
  Pictures images = {};

  bool operator==(const PromptSource&) const = default;
};

/// A prompt that a run can start from: rendered, tokenized and marked once, for the
/// preview and all runs. Immutable once made; threads share it as a shared_ptr<const>.
struct PreparedPrompt {
  PromptSource source;    ///< what it was made from
  std::string text = {};  ///< what was tokenized; empty when only ids were given
  SpecialTokens specials = SpecialTokens::Add;  ///< with which `text` was tokenized
  std::vector<Token> tokens = {};               ///< their spans refer to bytes of `text`
  std::vector<PromptImage> images = {};
  AbsorbedSet absorbed = {};  ///< the part of the context that the patch replaces
  std::string warning = {};   ///< a sentence for the user; empty: none

  bool operator==(const PreparedPrompt&) const = default;
};

/// Renders a Chat, tokenizes the text, and finds the absorbed part. Rendering may take
/// seconds, because templates run in another process; tokenizing a long text may take
/// seconds, too. Any thread may call this.
/// @param chat null: the model has no template and reads a Chat's text unchanged, without
///        the system message
/// @param vision of a model that takes images, else null
/// @throws Error{BadInput} for a text that is not UTF-8, a message that the template
///         refuses, an absorbed part or images that do not fit; Error{Resource} for a
///         text that is too long, and as `ChatTemplate::render`; Error{Cancelled} after
///         `stop`.
PreparedPrompt preparePrompt(const PromptSource& source, const Tokenizer& tokenizer,
                             const ChatTemplate* chat, std::stop_token stop = {},
                             const VisionSpec* vision = nullptr);

/// The result of `preparePrompt` for `source`, made from the text and tokens of `prompt`.
/// `source` may differ from `prompt.source` only in the absorbed part. Not for ids.
/// @throws Error{BadInput} for an absorbed part that does not fit.
PreparedPrompt withAbsorbedPartOf(PreparedPrompt prompt, PromptSource source);

/// Makes a copy of the prompt for each of its sentences; the copy absorbs only this
/// sentence.
/// @throws Error{BadInput} for token ids; Error as sentenceParts.
std::vector<PromptSource> eachSentence(const PromptSource& source);

/// Token ids between commas or spaces, perhaps in brackets, as Python prints a list.
/// @throws Error{BadInput} naming the first word that is not an id, or if there is none.
std::vector<TokenId> parseTokenIds(std::string_view text);

/// What is known about a model's token ids.
struct KnownTokens {
  const Tokenizer* tokenizer = nullptr;  ///< gives the pieces; null: ids serve as pieces
  std::optional<TokenId> beginOfSequence = {};
  const VisionSpec* vision = nullptr;  ///< of a model that takes images
};

/// Prepares `source.ids` or, in the form Ids, the ids that the text lists. Quick.
/// @throws Error{BadInput} as `parseTokenIds`, and for an absorbed part or images that do
///         not fit.
PreparedPrompt prepareIds(const PromptSource& source, const KnownTokens& known);

/// Prepares a text or a Chat with the tokenizer and the template of the session's folder,
/// and ids as `prepareIds`.
/// @throws Error as the first `preparePrompt`; Error{BadInput} also where the folder
///         lacks a tokenizer or a template that is needed.
PreparedPrompt preparePrompt(const PromptSource& source, const Session& session,
                             std::stop_token stop = {});

/// True if `preparePrompt` takes no longer than the window may wait: for token ids, and
/// for a short text that no template renders.
bool isQuicklyPrepared(const PromptSource& source, const ChatTemplate* chat);

/// The request of a run on this prompt, with everything else as in `settings`; without
/// the ablated pass where the whole context is absorbed (RunRequest::runsAblated).
RunRequest requestFor(const PreparedPrompt& prompt, RunRequest settings);

}  // namespace equipatch
