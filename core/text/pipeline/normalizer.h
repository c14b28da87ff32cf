// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/base/json.h"
#include "core/text/aligned_text.h"

namespace equipatch {

/// Transforms a text before pre-tokenization. Immutable; any thread.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual AlignedText normalize(const AlignedText& text) const = 0;

  /// The "normalizer" of tokenizer.json; null changes nothing.
  /// @throws Error{Unsupported} naming `place` and an unknown type.
  static std::shared_ptr<const Normalizer> parse(const Json* json,
                                                 const std::string& place);
};

}  // namespace equipatch
