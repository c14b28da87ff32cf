#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/ids.h"

namespace equipatch {

/// Half-open range of bytes of the text that was tokenized.
struct ByteSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool empty() const { return begin == end; }
  bool operator==(const ByteSpan&) const = default;
};

/// One token and the bytes of the text it stands for. Every byte of the text belongs to
/// exactly one token; tokens the text does not contain (BOS) have an empty span.
struct Token {
  TokenId id;
  std::string piece;  ///< as the vocabulary spells it: "▁Once", "<0xE2>", "Ġthe"
  ByteSpan span;
  bool special = false;  ///< BOS and other control tokens

  bool operator==(const Token&) const = default;
};

/// What every tokenizer asks of a text. @throws Error{BadInput} naming the first byte
/// that is not UTF-8, Error{Resource} for a text that is too long.
void requireTokenizable(std::string_view text);

/// Makes the spans of `tokens`, which ascend, a partition of a text of `size` bytes:
/// bytes that were left out belong to the token after them, at the end to the last.
void closeGaps(std::span<Token> tokens, std::size_t size);

/// @throws Error{BadInput} for a number that can be no id: one below 0.
void requireId(TokenId id);

/// How an id is spelt that the tokenizer has no piece for: "<unused 50300>". Models often
/// have more rows than their tokenizers pieces.
std::string nameOfUnused(TokenId id);

}  // namespace equipatch
