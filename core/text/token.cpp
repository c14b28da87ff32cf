// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/token.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/text/aligned_text.h"

namespace equipatch {

void requireTokenizable(std::string_view text) {
  if (text.size() > AlignedText::kLargestSize)
    throw Error(ErrorKind::Resource, "the text has " + std::to_string(text.size()) +
                                         " bytes, expected at most " +
                                         std::to_string(AlignedText::kLargestSize) +
                                         "; give a shorter one");
  const std::size_t invalid = firstInvalidUtf8(text);
  if (invalid != std::string_view::npos)
    throw badInput("the text is not valid UTF-8 at byte " + std::to_string(invalid) +
                   "; convert it to UTF-8 first");
}

void closeGaps(std::span<Token> tokens, std::size_t size) {
  if (tokens.empty()) return;
  std::size_t at = 0;
  for (Token& token : tokens) {
    token.span.begin = at;
    token.span.end = std::max(token.span.end, at);
    at = token.span.end;
  }
  tokens.back().span.end = size;
}

void requireId(TokenId id) {
  if (id.value < 0)
    throw badInput("the token id " + std::to_string(id.value) +
                   " is out of range, expected 0 or more");
}

std::string nameOfUnused(TokenId id) {
  return "<unused " + std::to_string(id.value) + ">";
}

}  // namespace equipatch
