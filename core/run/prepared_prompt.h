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

enum class PromptForm {
  Text,  ///< the model reads it unchanged
  Chat,  ///< a user's message, which the model's chat template renders
  Ids,   ///< token ids: "2, 17, 42"
};

/// A prompt as the user gives it.
struct PromptSource {
  std::string text;
  std::vector<TokenId> ids = {};  ///< if not empty, used instead of `text`
  PromptForm form = PromptForm::Text;
  SpecialTokens specials = SpecialTokens::Add;  ///< a rendered Chat contains its own
  /// The system message of a Chat.
  std::optional<std::string> system = {};
  std::string absorb = "all";  ///< in the syntax of `parseAbsorbedSet`
  /// The absorbed part, perhaps marked on an earlier version of the text; used instead of
  /// `absorb`. A prompt of ids ignores the marks.
  std::optional<TextMarks> marks = {};
  /// In the order of their placeholders in the text. If a Chat's text has no placeholder,
  /// the images come before the text.
  Pictures images = {};

  bool operator==(const PromptSource&) const = default;
};

/// A prompt from which a run can start: rendered, tokenized, and with its absorbed part.
struct PreparedPrompt {
  PromptSource source;
  std::string text = {};  ///< what was tokenized; empty for a prompt of ids
  SpecialTokens specials = SpecialTokens::Add;  ///< with which `text` was tokenized
  std::vector<Token> tokens = {};               ///< their spans refer to bytes of `text`
  std::vector<PromptImage> images = {};
  AbsorbedSet absorbed = {};
  std::string warning = {};  ///< a sentence for the user; empty: none

  bool operator==(const PreparedPrompt&) const = default;
};

/// Renders a Chat, tokenizes the text, and finds the absorbed part. May take seconds. Any
/// thread may call this.
/// @param chat null: the model has no template and reads a Chat's text unchanged, without
///        the system message
/// @param vision null: the model takes no images
/// @throws Error{BadInput} for a text that is not UTF-8, a message that the template
///         refuses, an absorbed part or images that do not fit; Error{Resource} for a
///         text that is too long, and as `ChatTemplate::render`; Error{Cancelled} after
///         `stop`.
PreparedPrompt preparePrompt(const PromptSource& source, const Tokenizer& tokenizer,
                             const ChatTemplate* chat, std::stop_token stop = {},
                             const VisionSpec* vision = nullptr);

/// Replaces the absorbed part of `prompt` by that of `source`, without tokenizing again.
/// `source` may differ from `prompt.source` only in `absorb` and `marks`. Not for a
/// prompt of ids.
/// @throws Error{BadInput} for an absorbed part that does not fit.
PreparedPrompt withAbsorbedPartOf(PreparedPrompt prompt, PromptSource source);

/// Makes a copy of the prompt for each sentence; the copy absorbs only this sentence.
/// @throws Error{BadInput} for token ids; Error as `sentenceParts`.
std::vector<PromptSource> eachSentence(const PromptSource& source);

/// Parses token ids between commas, spaces or brackets, such as a Python list.
/// @throws Error{BadInput} naming the first word that is not an id; also if there is no
///         id.
std::vector<TokenId> parseTokenIds(std::string_view text);

/// The parts of a model that `prepareIds` uses.
struct KnownTokens {
  const Tokenizer* tokenizer = nullptr;  ///< gives the pieces; null: ids serve as pieces
  std::optional<TokenId> beginOfSequence = {};
  const VisionSpec* vision = nullptr;  ///< null: the model takes no images
};

/// Prepares `source.ids` or, if these are empty, the ids that `source.text` lists.
/// @throws Error{BadInput} as `parseTokenIds`, and for an absorbed part or images that do
///         not fit.
PreparedPrompt prepareIds(const PromptSource& source, const KnownTokens& known);

/// Prepares a text or a Chat with the tokenizer and the template of the session's folder,
/// and ids as `prepareIds`.
/// @throws Error as the first `preparePrompt`; Error{BadInput} also if a text needs a
///         tokenizer, or a Chat a template, that the folder lacks.
PreparedPrompt preparePrompt(const PromptSource& source, const Session& session,
                             std::stop_token stop = {});

/// True if `preparePrompt` takes only milliseconds.
bool isQuicklyPrepared(const PromptSource& source, const ChatTemplate* chat);

/// The request of a run on this prompt, with all other values from `settings`. Omits the
/// ablated pass if the whole context is absorbed (RunRequest::runsAblated).
RunRequest requestFor(const PreparedPrompt& prompt, RunRequest settings);

}  // namespace equipatch
