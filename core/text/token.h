#pragma once

#include <cstddef>
#include <string>

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

}  // namespace equipatch
