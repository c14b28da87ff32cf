// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/text/pipeline/vocabulary.h"
#include "core/text/text_limits.h"
#include "core/text/token.h"

namespace equipatch {

struct Bpe;

/// A token and its byte range in the encoded pre-token.
struct PieceToken {
  std::uint32_t id = 0;
  ByteSpan range;

  bool operator==(const PieceToken&) const = default;
};

/// The longest pre-token that encoders cache, in bytes; longer ones rarely repeat.
constexpr std::size_t kLongestCachedPreToken = 64;

/// Encodes the pre-tokens of one text one after another. Not thread-safe.
class PieceEncoder {
 public:
  virtual ~PieceEncoder() = default;

  /// The tokens of `preToken`, which must be valid UTF-8 and outlive the encoder. Ranges
  /// ascend; no range contains a character without a token. The result is valid until the
  /// next call. @throws Error as TextLimits::requireTime.
  virtual const std::vector<PieceToken>& encode(std::string_view preToken) = 0;
};

/// The "model" of tokenizer.json, which splits a pre-token into pieces, the entries of
/// its vocabulary. Immutable; may be used by any thread.
class PieceModel {
 public:
  virtual ~PieceModel() = default;

  virtual const Vocabulary& vocabulary() const = 0;
  /// @param limits of the text whose pre-tokens it encodes
  /// @returns an encoder, which must not outlive this model.
  virtual std::unique_ptr<PieceEncoder> makeEncoder(const TextLimits& limits) const = 0;

  /// @throws Error{Unsupported} for unknown models and settings, Error{BadInput} for
  /// invalid ids, merges and scores, Error{Cancelled} soon after `progress` asks to stop.
  static std::shared_ptr<const PieceModel> parse(
      const Json* json, const std::string& place,
      const Progress& progress = SilentProgress());
  static std::shared_ptr<const PieceModel> of(Bpe bpe);
};

}  // namespace equipatch
