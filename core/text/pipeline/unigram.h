#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/json.h"
#include "core/text/pipeline/flat_map.h"
#include "core/text/pipeline/piece_model.h"
#include "core/text/pipeline/vocabulary.h"

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

/// Cuts a piece of text into the pieces of a Unigram whose scores have the largest sum
/// (Viterbi's algorithm), in O(n · longest piece), and remembers words that come again.
/// Sums run from left to right in double precision, and of equal sums the one found first
/// wins, so that ties fall as in Hugging Face's implementation.
class UnigramEncoder final : public PieceEncoder {
 public:
  /// @param model must outlive this.
  explicit UnigramEncoder(const Unigram& model) : m_model(model) {}

  /// @throws Error{BadInput} for a character that is no piece where the model has no
  /// unknown token.
  const std::vector<PieceToken>& encode(std::string_view piece) override;

 private:
  /// The best way to reach a boundary between bytes.
  struct Arrival {
    double score = 0;
    std::uint32_t from = kNowhere;  ///< where its last piece begins
    std::uint32_t id = 0;
  };
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  void findPaths(std::string_view text);
  void arrive(std::size_t end, const Arrival& arrival);
  void emit(std::string_view text);
  void emitUnknown(std::string_view text, ByteSpan range);

  const Unigram& m_model;
  std::vector<Arrival> m_arrivals;  ///< by boundary
  std::vector<PieceToken> m_path;
  std::vector<PieceToken> m_result;
  std::unordered_map<std::string_view, std::vector<PieceToken>> m_words;
};

}  // namespace equipatch
