// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/hash.h"
#include "core/base/progress.h"
#include "core/text/pipeline/flat_map.h"
#include "core/text/sentencepiece/sentencepiece_file.h"
#include "core/text/sentencepiece/sentencepiece_library.h"
#include "core/text/text_limits.h"
#include "core/text/token.h"

namespace equipatch {

/// Cuts a text into parts that SentencePiece can encode one by one with the same result
/// as for the whole text. The library takes more than linear time, and the tokens of
/// repeated parts can be cached.
///
/// Lemma: byte-pair encoding merges two neighbours only when their concatenation is a
/// piece. If no piece has the characters c and d next to each other, no merge crosses the
/// boundary c|d, and the two sides are independent. Texts for a unigram model are not
/// cut: the library sums scores from the text's beginning in single precision, so a cut
/// could change ties.
///
/// If the library prepends "▁" to every input, a part after the first begins either
/// - after a space, which the "▁" represents; or
/// - before a character that no piece has right after "▁", so that the "▁" becomes a
///   token of its own, which is dropped.
class SentencePieceCuts {
 public:
  /// What becomes of the "▁" that the library may prepend to a part.
  enum class Prefix {
    OfText,      ///< kept
    ForSpace,    ///< represents the space before the part
    Superfluous  ///< dropped
  };
  struct Part {
    ByteSpan range;
    Prefix prefix = Prefix::OfText;
  };

  /// @throws Error{Cancelled} soon after `progress` asks to stop.
  explicit SentencePieceCuts(const SentencePieceFile& file,
                             const Progress& progress = SilentProgress());

  /// Non-empty parts, in order. They cover the text except the spaces that a prefix
  /// represents. @param text is valid UTF-8.
  std::vector<Part> partsOf(std::string_view text) const;

  /// In bytes. The library looks this far ahead at each character.
  std::size_t longestPiece() const { return m_longestPiece; }

 private:
  bool mayCut(std::uint32_t left, std::uint32_t right) const;

  FlatMap<char> m_neighbours;  ///< characters beside each other in some piece
  FlatMap<char> m_characters;  ///< characters that are pieces
  bool m_isSafe = false;
  bool m_byteFallback = false;
  bool m_addsPrefix = false;
  std::size_t m_longestPiece = 0;
};

/// Encodes one text with the SentencePiece library, part by part, and caches repeated
/// parts. Not thread-safe.
class SentencePieceEncoder {
 public:
  using Piece = SentencePieceLibrary::Piece;

  /// @param library, cuts must outlive this.
  SentencePieceEncoder(const SentencePieceLibrary& library, const SentencePieceCuts& cuts,
                       const TextLimits& limits)
      : m_library(library), m_cuts(cuts), m_limits(limits) {}

  /// The pieces of `text`, which must outlive this. The bytes of one character are
  /// distributed among its byte tokens. @throws Error{BadInput} if the library rejects
  /// the text, Error{Resource} if the library would take too long, and as
  /// TextLimits::requireTime.
  std::vector<Piece> encode(std::string_view text);

 private:
  const std::vector<Piece>& piecesOf(std::string_view part);
  void requireFewSteps(std::string_view part) const;
  void append(const SentencePieceCuts::Part& part, const std::vector<Piece>& pieces,
              std::vector<Piece>& result) const;

  const SentencePieceLibrary& m_library;
  const SentencePieceCuts& m_cuts;
  TextLimits m_limits;
  std::vector<Piece> m_long;
  std::unordered_map<std::string_view, std::vector<Piece>, KeyedHash> m_words;
};

}  // namespace equipatch
