#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/text/token.h"

namespace equipatch {

/// What every tokenizer asks of a text. @throws Error{BadInput} naming the first byte
/// that is not UTF-8, Error{Resource} for a text that is too long.
void requireTokenizable(std::string_view text);

/// Makes the spans of `tokens`, which ascend, a partition of a text of `size` bytes:
/// bytes that were left out belong to the token after them, at the end to the last.
void closeGaps(std::span<Token> tokens, std::size_t size);

/// An id as tokens' consumers see it: from 0 to size - 1.
/// @throws Error{BadInput} naming the id and the size.
void requireId(TokenId id, std::int64_t size);

}  // namespace equipatch
