// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// Positions from `first` to `last`, both included.
struct PositionRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool operator==(const PositionRange&) const = default;
};

/// The positions whose value is true, as ascending ranges with gaps between them.
std::vector<PositionRange> rangesOf(const std::vector<bool>& marked);

/// The absorbed part Y of the context, given by the kept positions. The newest token x is
/// never absorbed.
struct AbsorbedSet {
  std::vector<PositionRange> keptPrompt;  ///< ascending, disjoint
  bool keepsGenerated = false;

  /// Everything is absorbed: the default.
  bool whole() const { return keptPrompt.empty() && !keepsGenerated; }
  bool keeps(std::int64_t position, std::int64_t promptLength) const;
  std::vector<bool> keptFlags(std::int64_t promptLength) const;
  /// The kept positions before position `x`, ascending.
  std::vector<std::int64_t> keptBefore(std::int64_t x, std::int64_t promptLength) const;

  bool operator==(const AbsorbedSet&) const = default;
};

/// Reads the value of `--absorb`. Only "all", "keep-bos", and lists with "text" or
/// "generated" absorb generated tokens. The value is
/// - "all", "none" or "prompt";
/// - "keep-bos": all but the special token with which the prompt starts;
/// - "words:the sun, too": the tokens with a byte of these words, which may contain
///   commas. The words must occur once in the prompt, or, if more often, once in the
///   message;
/// - "sentence:2": the tokens with a byte of the message's second sentence (sentencesOf);
/// - a list such as "0-12,20" of prompt positions, "images" (all images), "image:2"
///   (the second), "text" (everything but images) and "generated". An image consists of
///   its image tokens; the begin and end tokens and empty lines around them are text.
/// @param images the positions of each image's tokens
/// @param promptText the text to which the tokens' spans refer
/// @param message in a chat, the part of promptText that the user wrote; empty: all of it
/// @throws Error{BadInput} for any other value, for a part that the prompt lacks, for
/// words that occur too often, for a sentence that is not found in promptText, and for an
/// image that would be absorbed only in part; Error as sentencesOf
AbsorbedSet parseAbsorbedSet(std::string_view text, const std::vector<Token>& prompt,
                             const std::vector<PositionRange>& images = {},
                             std::string_view promptText = {},
                             std::string_view message = {});

/// For each sentence of a text, the value for parseAbsorbedSet that absorbs the sentence:
/// "words:…" if the text has the sentence once, else "sentence:…".
/// @throws Error{BadInput} for fewer than two sentences, and if one copy of the text per
/// sentence would take more than 1 GiB; Error as sentencesOf
std::vector<std::string> sentenceParts(std::string_view text);
/// True for "sentence:…".
bool isSentencePart(std::string_view part);

/// Checks "words:…" and "sentence:…" against a prompt that is not tokenized yet; all
/// other parts pass.
/// @throws Error{BadInput} for words that do not occur exactly once, for a sentence that
/// the prompt lacks, and for a malformed "sentence:…"; Error as sentencesOf
void requireWords(std::string_view part, std::string_view promptText);

/// The text that `parseAbsorbedSet` reads as `set` for a prompt of `promptLength` tokens.
/// @param images as for parseAbsorbedSet
std::string absorbedText(const AbsorbedSet& set, std::int64_t promptLength,
                         const std::vector<PositionRange>& images = {});

}  // namespace equipatch
