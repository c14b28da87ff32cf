// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/record/absorbed_set.h"
#include "core/text/token.h"

namespace equipatch {

/// An absorbed part of the context, given by bytes of the prompt's text. It applies with
/// any tokenizer.
struct TextMarks {
  std::string text;            ///< the tokenized text, after any chat template
  std::vector<ByteSpan> kept;  ///< bytes of `text`, ascending, disjoint
  bool keepsStart = false;     ///< keeps special tokens before the text, such as BOS
  bool keepsGenerated = false;

  bool operator==(const TextMarks&) const = default;
};

/// The absorbed part `set` as marks of the text.
/// @param tokens the tokenization of `text`
TextMarks textMarksOf(const AbsorbedSet& set, const std::vector<Token>& tokens,
                      const std::string& text);

/// The absorbed part that the marks give for the tokens of `text`. If `text` is not the
/// marked text, the marks are first carried over to it.
/// - A token is absorbed if any of its bytes is, an image if any of its tokens is.
/// - A token without bytes is absorbed if the next token is. After the last token,
///   generated tokens count as the next.
/// - A special token before the text is absorbed unless `keepsStart`.
/// @param images the positions of each image's tokens
AbsorbedSet absorbedSetOf(const TextMarks& marks, const std::vector<Token>& tokens,
                          const std::string& text,
                          const std::vector<PositionRange>& images = {});

/// Transfers marks from the tokens of an old text to those of a new one. Common tokens at
/// the beginning and at the end retain their marks. The new tokens between them are kept
/// only if they replace no absorbed token and both neighbours are kept; generated tokens
/// stand for a missing neighbour. Everything is absorbed if
/// - the old set absorbed something, but the new set would absorb nothing; or
/// - the new tokens replace both absorbed and kept tokens, and the common tokens are all
///   absorbed or all kept, so that nothing tells what was meant.
AbsorbedSet carriedOver(const AbsorbedSet& set, const std::vector<Token>& from,
                        const std::vector<Token>& to);

/// The same for bytes, except that `keepsStart` stands for the neighbour before the first
/// byte.
TextMarks carriedOver(const TextMarks& marks, const std::string& text);

/// Absorbs each image of which `set` keeps only a part; the rest of `set` is unchanged.
/// The images are within the prompt.
AbsorbedSet withWholeImages(AbsorbedSet set, std::int64_t promptLength,
                            const std::vector<PositionRange>& images);

}  // namespace equipatch
