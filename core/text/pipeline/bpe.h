#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/text/pipeline/flat_map.h"
#include "core/text/pipeline/vocabulary.h"

namespace equipatch {

/// A byte-pair encoding model as data: what the "model" of tokenizer.json says, in tables
/// made for the encoder.
struct Bpe {
  /// Joining the pieces of a pair: the lowest rank first.
  struct Merge {
    std::uint32_t rank = 0;
    std::uint32_t result = 0;
  };

  Vocabulary vocabulary;
  FlatMap<Merge> merges;              ///< by pairKey of the two ids
  FlatMap<std::uint32_t> characters;  ///< ids of the pieces of one character, by packed
  std::array<std::optional<std::uint32_t>, 256>
      byteTokens;  ///< ids of "<0x00>" … "<0xFF>"
  std::optional<std::uint32_t> unknown;
  bool fuseUnknown = false;   ///< neighbouring unknown characters become one token
  bool byteFallback = false;  ///< unknown characters become byte tokens where all exist
  bool ignoreMerges = false;  ///< a text that is a piece is that piece, merges or not

  /// Two characters that stand beside each other where some merge joins two pieces.
  /// Between others no merge can reach across, so that a text may be cut there without
  /// any change.
  FlatMap<char> junctions;  ///< by pairKey of the two packed characters
  bool cutsAreSafe = false;

  /// @throws Error{Unsupported} for other models and settings that are not known,
  ///         Error{BadInput} for ids and merges that cannot be.
  static Bpe parse(const Json* model, const std::string& place);

  static std::uint64_t pairKey(std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{left} << 32 | right;
  }
  /// A character's UTF-8 bytes (1 to 4) as a number.
  static std::uint32_t packed(std::string_view character);
};

}  // namespace equipatch
