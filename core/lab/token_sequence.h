// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// A text's words as ids; each new word gets the next id.
struct TokenSequence {
  std::vector<std::string> names;
  std::vector<std::int64_t> ids;  ///< into `names`
};

/// Splits at white space. @throws Error{BadInput} for fewer than two or more than 512
/// words.
TokenSequence readTokens(std::string_view text);

}  // namespace equipatch
