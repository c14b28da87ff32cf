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

/// The absorbed part Y of the context, given by its complement, the kept positions. The
/// newest token x itself is never absorbed.
struct AbsorbedSet {
  std::vector<PositionRange> keptPrompt;  ///< ascending, disjoint
  bool keepsGenerated = false;

  /// Everything is absorbed: the default.
  bool whole() const { return keptPrompt.empty() && !keepsGenerated; }
  bool keeps(std::int64_t position, std::int64_t promptLength) const;
  /// For each position of the prompt, whether it is kept.
  std::vector<bool> keptFlags(std::int64_t promptLength) const;
  /// The kept positions of the context of the token at position `x`, ascending.
  std::vector<std::int64_t> keptBefore(std::int64_t x, std::int64_t promptLength) const;

  bool operator==(const AbsorbedSet&) const = default;
};

/// Reads the value of `--absorb`:
/// - "all" or "none";
/// - "prompt": generated tokens are kept;
/// - "keep-bos": all but the special token with which the prompt starts;
/// - "words:the sun, too": the tokens with a byte of these words, which may contain
///   commas. The prompt must have them exactly once, or else the message must. Generated
///   tokens are kept;
/// - "sentence:2": the tokens with a byte of the message's second sentence (sentencesOf).
///   Generated tokens are kept;
/// - a list such as "0-12,20" of prompt positions, "images" (all of them), "image:2" (the
///   second) and "text" (everything but images, generated tokens too). Without "text",
///   generated tokens are kept unless the list contains "generated". An image consists of
///   its image tokens; the begin and end tokens and empty lines around them are text.
/// @param images the positions of each image's tokens
/// @param promptText the text to which the tokens' spans refer
/// @param message the part of promptText that the user wrote, in a chat; empty: all of it
/// @throws Error{BadInput} for a part that is none of these or is beyond the prompt; for
/// words that the prompt lacks, or that neither prompt nor message has exactly once; for
/// a sentence of the message that is not found in promptText; for an image that would be
/// absorbed only in part; and for "keep-bos" where the prompt starts with an ordinary
/// token; Error as sentencesOf
AbsorbedSet parseAbsorbedSet(std::string_view text, const std::vector<Token>& prompt,
                             const std::vector<PositionRange>& images = {},
                             std::string_view promptText = {},
                             std::string_view message = {});

/// For each sentence of a text, the part that absorbs it, as parseAbsorbedSet reads it:
/// "words:…" where the text has the sentence once, else "sentence:…". Searches the whole
/// text for each sentence.
/// @throws Error{BadInput} for fewer than two sentences, and where one copy of the text
/// per sentence, which callers make, would take more than 1 GiB; Error as sentencesOf
std::vector<std::string> sentenceParts(std::string_view text);
/// True for a part that names a sentence.
bool isSentencePart(std::string_view part);

/// Checks "words:…" and "sentence:…" against a prompt before it is tokenized; other parts
/// pass.
/// @throws Error{BadInput} as parseAbsorbedSet for words that do not occur once, and for
/// a sentence that the prompt lacks; Error as sentencesOf
void requireWords(std::string_view part, std::string_view promptText);

/// The text that `parseAbsorbedSet` reads as `set` for a prompt of `promptLength` tokens.
/// @param images the positions of each image's tokens, for the names "images", "text" and
///        "image:2"
std::string absorbedText(const AbsorbedSet& set, std::int64_t promptLength,
                         const std::vector<PositionRange>& images = {});

}  // namespace equipatch
