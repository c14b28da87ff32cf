// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/text/text_limits.h"
#include "core/text/token.h"

namespace equipatch {

/// A two-way map of pieces and ids. Ids may have gaps.
class Vocabulary {
 public:
  /// All ids are smaller. The limit bounds the size of m_byId.
  static constexpr std::int64_t kIdLimit = std::int64_t{1} << 22;
  /// In bytes; published pieces have at most a few hundred. The limit bounds the memory
  /// of a run.
  static constexpr std::size_t kLongestPiece = std::size_t{1} << 13;

  Vocabulary() = default;
  Vocabulary(const Vocabulary&) = delete;  // m_byId points into m_ids
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  /// Adds a piece with its id; the same pair may be added again. @throws Error{BadInput}
  /// naming `place` for a piece that is too long, an id out of range, an id of another
  /// piece, or a second id of this piece.
  void add(const std::string& piece, std::int64_t id, const std::string& place);

  std::optional<std::uint32_t> find(std::string_view piece) const;
  /// nullptr for an id without a piece.
  const std::string* piece(std::int64_t id) const;
  /// One more than the largest id.
  std::int64_t size() const { return static_cast<std::int64_t>(m_byId.size()); }

 private:
  std::unordered_map<std::string, std::uint32_t, KeyedHash, std::equal_to<>> m_ids;
  std::vector<const std::string*> m_byId;  ///< the keys of m_ids, which never move
};

struct Bpe;

/// A token and its byte range in the encoded pre-token.
struct PieceToken {
  std::uint32_t id = 0;
  ByteSpan range;

  bool operator==(const PieceToken&) const = default;
};

/// In bytes. Encoders do not cache the tokens of longer strings, which rarely repeat.
constexpr std::size_t kLongestCachedPreToken = 64;

/// Encodes the pre-tokens of one text one after another. Not thread-safe.
class PieceEncoder {
 public:
  virtual ~PieceEncoder() = default;

  /// The tokens of `preToken`, which must be valid UTF-8 and outlive the encoder. Ranges
  /// ascend and are disjoint. A character that the model drops lies outside the ranges,
  /// or within a range if its neighbours merge. The result is valid until the next call.
  /// @throws Error as TextLimits::requireTime; Error{BadInput} for a character that the
  /// model cannot represent.
  virtual const std::vector<PieceToken>& encode(std::string_view preToken) = 0;
};

/// The "model" of tokenizer.json: splits pre-tokens into pieces of a vocabulary.
/// Immutable; any thread.
class PieceModel {
 public:
  virtual ~PieceModel() = default;

  virtual const Vocabulary& vocabulary() const = 0;
  /// Makes an encoder for one text. The model must outlive the encoder.
  /// @param limits of this text
  virtual std::unique_ptr<PieceEncoder> makeEncoder(const TextLimits& limits) const = 0;

  /// @throws Error{Unsupported} for unknown models and settings, Error{BadInput} for
  /// invalid ids, merges and scores, Error{Cancelled} soon after `progress` asks to stop.
  static std::shared_ptr<const PieceModel> parse(
      const Json* json, const std::string& place,
      const Progress& progress = SilentProgress());
  static std::shared_ptr<const PieceModel> of(Bpe bpe);
};

}  // namespace equipatch
