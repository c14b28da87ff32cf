#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace equipatch {

/// Pieces back to text. Immutable; any thread.
class Decoder {
 public:
  virtual ~Decoder() = default;

  /// One step: the pieces of a whole sequence to the next step's. May be fewer.
  virtual std::vector<std::string> apply(std::vector<std::string> pieces) const = 0;
  /// The same for one piece from the middle of a text, as bytes that may be half a
  /// character.
  virtual std::string surface(std::string piece) const = 0;

  /// The "decoder" of tokenizer.json; null gives one that puts spaces between the pieces.
  /// @throws Error{Unsupported} naming `place` and a type that is not known.
  static std::shared_ptr<const Decoder> parse(const Json* json, const std::string& place);

  /// What SentencePiece does: "▁" is a space, "<0xE2>" a byte, and the space that was put
  /// before the text is taken away.
  enum class DummyPrefix { Absent, Present };
  static std::shared_ptr<const Decoder> sentencePiece(DummyPrefix prefix);
};

}  // namespace equipatch
