// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace equipatch {

/// Converts pieces back to text. Immutable; any thread.
class Decoder {
 public:
  virtual ~Decoder() = default;

  /// Converts the pieces of a whole sequence; the result may have fewer pieces.
  /// @throws Error{Resource} beyond the TextLimits of the pieces, Error{BadInput} for a
  /// regular expression that takes too long; `surface` throws the same.
  virtual std::vector<std::string> apply(std::vector<std::string> pieces) const = 0;
  /// Converts one piece as if it stood in the middle of a text. The result may be a part
  /// of a UTF-8 character.
  virtual std::string surface(std::string piece) const = 0;

  /// The "decoder" of tokenizer.json; null puts spaces between the pieces.
  /// @throws Error{Unsupported} naming `place` and an unknown type or setting;
  /// Error{BadInput} naming `place` for an invalid value.
  static std::shared_ptr<const Decoder> parse(const Json* json, const std::string& place);

  enum class DummyPrefix { Absent, Present };
  /// SentencePiece's decoder: "▁" becomes a space, "<0xE2>" a byte, and the space of a
  /// present dummy prefix is removed.
  static std::shared_ptr<const Decoder> sentencePiece(DummyPrefix prefix);
};

}  // namespace equipatch
