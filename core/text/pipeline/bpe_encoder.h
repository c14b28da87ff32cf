// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/hash.h"
#include "core/text/pipeline/bpe.h"
#include "core/text/pipeline/piece_model.h"
#include "core/text/text_limits.h"

namespace equipatch {

/// Applies a Bpe to the pre-tokens of one text, in O(n log n) for a pre-token of n bytes.
/// Cuts a pre-token into segments that no merge crosses, and caches the tokens of short
/// segments.
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
    std::uint32_t left = 0;  ///< index of the symbol
    std::uint32_t result = 0;
  };
  /// A segment's tokens: `count` entries of m_cachedTokens.
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
