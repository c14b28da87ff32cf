// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace equipatch {

/// The tokens that a tokenizer adds before and after every text.
struct TokenFrame {
  std::vector<std::int64_t> before;
  std::vector<std::int64_t> after;
  /// True if tokenizer.json or, in a folder without this file, the tokenizer's class
  /// specifies the tokens, even if there are none.
  bool isDecided = false;

  /// The "post_processor" of tokenizer.json for a single text; null specifies nothing.
  /// @throws Error{Unsupported} naming `place` and an unknown type or setting;
  /// Error{BadInput} naming `place` for an invalid value.
  static TokenFrame parse(const Json* json, const std::string& place);
};

}  // namespace equipatch
