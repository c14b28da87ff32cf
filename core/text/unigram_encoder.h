#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/piece_model.h"
#include "core/text/unigram.h"

namespace equipatch {

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
