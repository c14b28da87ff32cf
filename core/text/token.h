// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/ids.h"

namespace equipatch {

/// Half-open range of bytes of the tokenized text.
struct ByteSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin == end; }
  bool operator==(const ByteSpan&) const = default;
};

/// A token of a text. Every byte of the text belongs to the span of exactly one token,
/// unless the tokenizer removes the whole text. Tokens that the text does not contain
/// (BOS) have an empty span.
struct Token {
  TokenId id;
  std::string piece;  ///< as in the vocabulary: "▁Once", "<0xE2>", "Ġthe"
  ByteSpan span;
  bool special = false;  ///< BOS and other control tokens

  bool operator==(const Token&) const = default;
};

/// @throws Error{BadInput} naming the first byte that is not UTF-8, Error{Resource} for a
/// text that is too long.
void requireTokenizable(std::string_view text);

/// Extends the ascending spans of `tokens` to a partition of a text of `size` bytes:
/// uncovered bytes go to the next token; those at the end go to the last token.
void closeGaps(std::span<Token> tokens, std::size_t size);

/// @throws Error{BadInput} for a negative id.
void requireId(TokenId id);

/// "<unused 50300>", for an id without a piece: models often have more embedding rows
/// than their tokenizer has pieces.
std::string nameOfUnused(TokenId id);

}  // namespace equipatch
