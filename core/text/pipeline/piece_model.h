#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/text/pipeline/vocabulary.h"
#include "core/text/token.h"

namespace equipatch {

struct Bpe;

/// A token and its bytes of the encoded piece.
struct PieceToken {
  std::uint32_t id = 0;
  ByteSpan range;

  bool operator==(const PieceToken&) const = default;
};

/// In bytes. Longer pieces of text rarely repeat, so encoders do not cache them.
constexpr std::size_t kLongestRememberedPiece = 64;

/// Encodes the pieces of one text one after another. Not thread-safe.
class PieceEncoder {
 public:
  virtual ~PieceEncoder() = default;

  /// The tokens of `piece`, which is valid UTF-8 and must outlive this. Ranges ascend;
  /// characters without a token are in none. Valid until the next call.
  virtual const std::vector<PieceToken>& encode(std::string_view piece) = 0;
};

/// The "model" of tokenizer.json, which turns a piece of text into tokens. Immutable; any
/// thread.
class PieceModel {
 public:
  virtual ~PieceModel() = default;

  virtual const Vocabulary& vocabulary() const = 0;
  /// @returns an encoder; this must outlive it.
  virtual std::unique_ptr<PieceEncoder> makeEncoder() const = 0;

  /// @throws Error{Unsupported} for unknown models and settings, Error{BadInput} for
  /// invalid ids, merges and scores.
  static std::shared_ptr<const PieceModel> parse(const Json* json,
                                                 const std::string& place);
  static std::shared_ptr<const PieceModel> of(Bpe bpe);
};

}  // namespace equipatch
