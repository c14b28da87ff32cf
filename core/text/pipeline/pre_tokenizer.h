// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/base/json.h"
#include "core/text/aligned_text.h"

namespace equipatch {

/// Splits a text into pre-tokens, which are tokenized separately. Immutable; any thread.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  /// Splits and rewrites the pre-tokens of `text` in place. @throws as
  /// Normalizer::normalize.
  virtual void apply(PreTokenizedText& text) const = 0;

  /// The "pre_tokenizer" of tokenizer.json; null splits nothing.
  /// @throws Error{Unsupported} naming `place` and an unknown type or setting;
  /// Error{BadInput} naming `place` for an invalid value.
  static std::shared_ptr<const PreTokenizer> parse(const Json* json,
                                                   const std::string& place);
};

}  // namespace equipatch
