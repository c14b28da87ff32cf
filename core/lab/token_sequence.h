#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// Some words and the different ones among them, in the order of their appearance.
struct TokenSequence {
  std::vector<std::string> names;
  std::vector<std::int64_t> ids;  ///< into `names`
};

/// What stands between spaces. @throws Error{BadInput} for fewer than two or more than
/// 512 words.
TokenSequence readTokens(std::string_view text);

}  // namespace equipatch
