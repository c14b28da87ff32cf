// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/text/pipeline/flat_map.h"
#include "core/text/pipeline/vocabulary.h"

namespace equipatch {

/// A byte-pair encoding model: the "model" of tokenizer.json as tables for the encoder.
struct Bpe {
  /// A merge of a pair of pieces; the lowest rank is applied first.
  struct Merge {
    std::uint32_t rank = 0;
    std::uint32_t result = 0;
  };

  Vocabulary vocabulary;
  FlatMap<Merge> merges;              ///< by pairKey of the two ids
  FlatMap<std::uint32_t> characters;  ///< ids of one-character pieces, by `packed`
  std::array<std::optional<std::uint32_t>, 256>
      byteTokens;  ///< ids of "<0x00>" … "<0xFF>"
  std::optional<std::uint32_t> unknown;
  bool fuseUnknown = false;   ///< neighbouring unknown characters become one token
  bool byteFallback = false;  ///< unknown characters become byte tokens where all exist
  bool ignoreMerges = false;  ///< a pre-token in the vocabulary becomes one token

  /// Pairs of characters at the junction of some merge. No merge crosses the boundary
  /// between two other characters, so a text can be cut there without changing the
  /// result.
  FlatMap<char> junctions;   ///< by pairKey of the two packed characters
  bool cutsAreSafe = false;  ///< whether this holds for this vocabulary

  /// @throws Error{Unsupported} for other models and unknown settings, Error{BadInput}
  /// for invalid ids and merges, Error{Cancelled} soon after `progress` asks to stop.
  static Bpe parse(const Json* model, const std::string& place,
                   const Progress& progress = SilentProgress());

  static std::uint64_t pairKey(std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{left} << 32 | right;
  }
  /// A character's UTF-8 bytes (1 to 4) as a number.
  static std::uint32_t packed(std::string_view character);
};

}  // namespace equipatch
