// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/record/absorbed_set.h"
#include "core/text/token.h"

namespace equipatch {

/// An absorbed part of the context, given by bytes of the prompt's text in place of
/// tokens: it applies to the tokens of any tokenizer.
struct TextMarks {
  std::string text;            ///< as tokenized: a chat as its template renders it
  std::vector<ByteSpan> kept;  ///< bytes of `text`, ascending, disjoint
  bool keepsStart = false;     ///< keeps special tokens before the text, such as BOS
  bool keepsGenerated = false;

  bool operator==(const TextMarks&) const = default;
};

/// The absorbed part `set` as marks of the text.
/// @param tokens the tokenization of `text`
TextMarks textMarksOf(const AbsorbedSet& set, const std::vector<Token>& tokens,
                      const std::string& text);

/// The marks on the tokens of a text, which may differ from the marked one as in
/// `carriedOver`. A token of which some bytes are absorbed is absorbed, and so is an
/// image of which some tokens are. A token without bytes is absorbed if the next token
/// is; after the last token with bytes, if generated tokens are; a special one before the
/// text, unless `keepsStart`.
/// @param images the positions of each image's tokens
AbsorbedSet absorbedSetOf(const TextMarks& marks, const std::vector<Token>& tokens,
                          const std::string& text,
                          const std::vector<PositionRange>& images = {});

/// Transfers marks from the tokens of an old text to those of a new one. The common
/// tokens at the beginning and at the end retain their marks; new tokens between them are
/// kept only where they replace no absorbed ones and their neighbours on both sides are
/// kept; where a side has no token, generated tokens count as the neighbour. Everything
/// is absorbed if the old set absorbed something and nothing would be left of it, and if
/// nothing tells what was meant: the new tokens replace both absorbed and kept ones, and
/// the common tokens are all absorbed or all kept.
AbsorbedSet carriedOver(const AbsorbedSet& set, const std::vector<Token>& from,
                        const std::vector<Token>& to);

/// The same by bytes, except that before the text `keepsStart` tells whether the
/// neighbour is kept. @returns marks of `text`
TextMarks carriedOver(const TextMarks& marks, const std::string& text);

/// `set`, but every image of which it keeps only a part is absorbed. The images are
/// within the prompt.
AbsorbedSet withWholeImages(AbsorbedSet set, std::int64_t promptLength,
                            const std::vector<PositionRange>& images);

}  // namespace equipatch
