// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/text/pipeline/phrase_automaton.h"
#include "core/text/pipeline/piece_model.h"
#include "core/text/text_limits.h"

namespace equipatch {

/// A unigram language model: pieces with scores (log probabilities).
struct Unigram {
  Vocabulary vocabulary;
  std::vector<double> scores;  ///< by id
  std::optional<std::uint32_t> unknown;
  double unknownScore = 0;    ///< of one character that is not a piece
  bool byteFallback = false;  ///< spells unknown text as byte tokens, if all exist
  std::array<std::optional<std::uint32_t>, 256>
      byteTokens;  ///< ids of "<0x00>" … "<0xFF>"

  PhraseAutomaton pieces;  ///< all pieces except "", numbered by id

  /// @throws Error{Unsupported} for unknown settings, Error{BadInput} for invalid pieces,
  /// scores and ids, Error{Cancelled} soon after `progress` asks to stop.
  static Unigram parse(const Json& model, const std::string& place,
                       const Progress& progress = SilentProgress());
};

/// "<0xE2>" for 0xE2, the vocabulary's name of a byte piece.
std::string byteTokenName(unsigned byte);

/// Splits a pre-token into the pieces with the largest sum of scores (Viterbi), in time
/// linear in the text and the pieces that occur in it. Ties resolve as in Hugging Face:
/// scores are summed from left to right in double precision, and among equal sums the
/// path with the longest last piece wins.
class UnigramEncoder final : public PieceEncoder {
 public:
  /// @param model must outlive this.
  UnigramEncoder(const Unigram& model, const TextLimits& limits)
      : m_model(model), m_steps(limits) {}

  /// @throws Error{BadInput} for a character with which no piece ends, if the model has
  /// no unknown token.
  const std::vector<PieceToken>& encode(std::string_view preToken) override;

 private:
  /// The best path to a byte boundary.
  struct Arrival {
    double score = 0;
    std::uint32_t from = kNowhere;  ///< where the path's last piece begins
    std::uint32_t id = 0;
  };
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  void findPaths(std::string_view text);
  bool arriveAt(std::size_t end, std::uint32_t state, std::size_t character);
  void arrive(std::size_t end, const Arrival& arrival);
  void emit(std::string_view text);
  void emitUnknown(std::string_view text, ByteSpan range);

  const Unigram& m_model;
  StepCounter m_steps;
  std::vector<Arrival> m_arrivals;  ///< by byte boundary
  std::vector<PieceToken> m_path;
  std::vector<PieceToken> m_result;
  std::unordered_map<std::string_view, std::vector<PieceToken>, KeyedHash> m_words;
};

}  // namespace equipatch
