#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/text/flat_map.h"
#include "core/text/vocabulary.h"

namespace equipatch {

/// A unigram language model as data: pieces with scores (logarithms of probabilities),
/// and a trie of the pieces' bytes.
struct Unigram {
  static constexpr std::uint32_t kRoot = 0;
  static constexpr std::uint32_t kNoPiece = ~std::uint32_t{0};

  Vocabulary vocabulary;
  std::vector<double> scores;  ///< by id
  std::optional<std::uint32_t> unknown;
  double unknownScore = 0;    ///< of one character that is no piece
  bool byteFallback = false;  ///< unknown text becomes byte tokens where all exist
  std::array<std::optional<std::uint32_t>, 256>
      byteTokens;  ///< ids of "<0x00>" … "<0xFF>"

  FlatMap<std::uint32_t> children;  ///< nodes, by childKey
  std::vector<std::uint32_t>
      pieces;  ///< id of the piece that ends at a node, or kNoPiece

  /// @throws Error{Unsupported} for settings that are not known, Error{BadInput} for
  /// pieces, scores and ids that cannot be.
  static Unigram parse(const Json& model, const std::string& place);

  static std::uint64_t childKey(std::uint32_t node, char byte) {
    return std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
  }
};

/// "<0xE2>" for 0xE2: how vocabularies name the pieces of one byte.
std::string byteTokenName(unsigned byte);

}  // namespace equipatch
