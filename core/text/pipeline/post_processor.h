#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace equipatch {

/// The tokens that a tokenizer puts around every text.
struct TokenFrame {
  std::vector<std::int64_t> before;
  std::vector<std::int64_t> after;
  /// Whether some part of tokenizer.json says what stands around the text, even if
  /// nothing.
  bool isDecided = false;

  /// The "post_processor" of tokenizer.json for a single text; null decides nothing.
  /// @throws Error{Unsupported} naming `place` and a type that is not known.
  static TokenFrame parse(const Json* json, const std::string& place);
};

}  // namespace equipatch
