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

/// A token and the bytes of the encoded piece that it covers.
struct PieceToken {
  std::uint32_t id = 0;
  ByteSpan range;

  bool operator==(const PieceToken&) const = default;
};

/// In bytes: longer pieces of text hardly come twice, so encoders do not keep them.
constexpr std::size_t kLongestRememberedPiece = 64;

/// Encodes the pieces of one text, one after another. For one thread.
class PieceEncoder {
 public:
  virtual ~PieceEncoder() = default;

  /// The tokens of `piece`, valid UTF-8 that must outlive this. Ranges ascend; characters
  /// that have no token are in none. Valid until the next call.
  virtual const std::vector<PieceToken>& encode(std::string_view piece) = 0;
};

/// What makes tokens of a piece of text: the "model" of tokenizer.json. Immutable; any
/// thread.
class PieceModel {
 public:
  virtual ~PieceModel() = default;

  virtual const Vocabulary& vocabulary() const = 0;
  /// @returns an encoder, which this must outlive.
  virtual std::unique_ptr<PieceEncoder> makeEncoder() const = 0;

  /// @throws Error{Unsupported} for models and settings that are not known,
  ///         Error{BadInput} for ids, merges and scores that cannot be.
  static std::shared_ptr<const PieceModel> parse(const Json* json,
                                                 const std::string& place);
  static std::shared_ptr<const PieceModel> of(Bpe bpe);
};

}  // namespace equipatch
