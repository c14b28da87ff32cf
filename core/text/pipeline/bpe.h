// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/text/pipeline/flat_map.h"
#include "core/text/pipeline/piece_model.h"
#include "core/text/text_limits.h"

namespace equipatch {

/// A byte-pair encoding model: the "model" of tokenizer.json as tables.
struct Bpe {
  struct Merge {
    std::uint32_t rank = 0;    ///< the lowest is applied first
    std::uint32_t result = 0;  ///< id of the joined piece
  };

  Vocabulary vocabulary;
  FlatMap<Merge> merges;              ///< by pairKey of the two ids
  FlatMap<std::uint32_t> characters;  ///< ids of one-character pieces, by `packed`
  std::array<std::optional<std::uint32_t>, 256>
      byteTokens;  ///< ids of "<0x00>" … "<0xFF>"
  std::optional<std::uint32_t> unknown;
  bool fuseUnknown = false;   ///< neighbouring unknown characters become one token
  bool byteFallback = false;  ///< an unknown character becomes bytes if each has a token
  bool ignoreMerges = false;  ///< a pre-token in the vocabulary becomes one token

  /// For each merge, the last character of its left piece and the first character of its
  /// right piece. No merge joins two characters that are not such a pair. If cutsAreSafe,
  /// a cut between these two does not change a text's tokens.
  FlatMap<char> junctions;   ///< by pairKey of the two packed characters
  bool cutsAreSafe = false;  ///< false without an unknown token

  /// Does not read the "type". @throws Error{Unsupported} for settings that are unknown
  /// or not supported, Error{BadInput} for invalid ids and merges, Error{Cancelled} soon
  /// after `progress` asks to stop.
  static Bpe parse(const Json* model, const std::string& place,
                   const Progress& progress = SilentProgress());

  static std::uint64_t pairKey(std::uint32_t left, std::uint32_t right) {
    return std::uint64_t{left} << 32 | right;
  }
  /// A character's UTF-8 bytes (1 to 4) as a number.
  static std::uint32_t packed(std::string_view character);
};

/// Applies a Bpe to the pre-tokens of one text, in O(n log n) for a pre-token of n bytes.
/// Cuts a pre-token into segments where no merge is possible (Bpe::junctions), and caches
/// the tokens of short segments.
class BpeEncoder final : public PieceEncoder {
 public:
  /// @param model must outlive this.
  BpeEncoder(const Bpe& model, const TextLimits& limits)
      : m_model(model), m_steps(limits) {}

  const std::vector<PieceToken>& encode(std::string_view preToken) override;

 private:
  struct Symbol {
    std::uint32_t id = 0;
    std::uint32_t begin = 0;  ///< byte offsets in the segment
    std::uint32_t end = 0;    ///< equals begin after a merge into another symbol
    std::uint32_t previous = 0;
    std::uint32_t next = 0;
  };
  struct Candidate {
    std::uint32_t rank = 0;
    std::uint32_t left = 0;  ///< index of the left symbol
    std::uint32_t result = 0;
  };
  /// Entries of m_cachedTokens: the tokens of a segment.
  struct CachedRange {
    std::size_t first = 0;
    std::size_t count = 0;
  };

  std::size_t segmentLength(std::string_view text) const;
  void appendSegment(std::string_view segment, std::size_t offset);
  void append(const PieceToken& token, std::size_t offset);
  void makeSymbols(std::string_view segment);
  void addUnknown(ByteSpan character);
  bool addBytes(std::string_view segment, ByteSpan character);
  void addSymbol(std::uint32_t id, ByteSpan range);
  const Bpe::Merge* mergeAfter(std::uint32_t left) const;
  void makeCandidates();
  void mergeAll();
  void consider(std::uint32_t left);

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const Bpe& m_model;
  StepCounter m_steps;
  std::vector<PieceToken> m_result;
  std::vector<Symbol> m_symbols;
  bool m_lastIsUnknown = false;
  std::vector<Candidate> m_candidates;  ///< a heap with the next merge on top
  std::vector<PieceToken> m_cachedTokens;
  std::unordered_map<std::string_view, CachedRange, KeyedHash> m_cache;  ///< by segment
};

}  // namespace equipatch
