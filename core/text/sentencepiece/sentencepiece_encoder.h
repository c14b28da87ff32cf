#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/pipeline/flat_map.h"
#include "core/text/sentencepiece/sentencepiece_file.h"
#include "core/text/sentencepiece/sentencepiece_library.h"
#include "core/text/token.h"

namespace equipatch {

/// Cuts a text into parts that SentencePiece may encode one by one with the result it has
/// for the whole, only far sooner: its time grows faster than the text, and words come
/// again.
///
/// Lemma: byte-pair encoding joins two neighbours only when together they are a piece. If
/// no piece has the characters c and d beside each other, nothing is ever joined across
/// c|d, and what happens on one side does not depend on the other. (A unigram model sums
/// scores from the text's beginning in single precision: cut, its ties could fall
/// otherwise, so it is not cut.)
///
/// Where the library puts a "▁" before what it is given, a part begins after a space, for
/// which that "▁" then stands; or its first character d is beside "▁" in no piece, so
/// that the library's "▁" is a token of its own and can be dropped.
class SentencePieceCuts {
 public:
  /// What becomes of the library's token for the "▁" before a part.
  enum class Prefix {
    OfText,      ///< as it is
    ForSpace,    ///< stands for the byte before the part, a space
    Superfluous  ///< is to be dropped
  };
  struct Part {
    ByteSpan range;
    Prefix prefix = Prefix::OfText;
  };

  explicit SentencePieceCuts(const SentencePieceFile& file);

  /// Parts in order, none empty. They cover the text but for the spaces that a prefix
  /// stands for. @param text is valid UTF-8.
  std::vector<Part> partsOf(std::string_view text) const;

 private:
  bool mayCut(std::uint32_t left, std::uint32_t right) const;

  FlatMap<char> m_neighbours;  ///< characters beside each other in some piece
  FlatMap<char> m_characters;  ///< that are pieces
  bool m_isSafe = false;
  bool m_byteFallback = false;
  bool m_addsPrefix = false;
};

/// Encodes one text by the SentencePiece library, part by part, and remembers parts that
/// come again. For one thread.
class SentencePieceEncoder {
 public:
  using Piece = SentencePieceLibrary::Piece;

  /// @param library, cuts must outlive this.
  SentencePieceEncoder(const SentencePieceLibrary& library, const SentencePieceCuts& cuts)
      : m_library(library), m_cuts(cuts) {}

  /// The pieces of `text`, which must outlive this, with the bytes of it that each stands
  /// for; those of one character are shared among its byte tokens.
  /// @throws Error{BadInput} with the library's own words when it refuses the text.
  std::vector<Piece> encode(std::string_view text);

 private:
  const std::vector<Piece>& piecesOf(std::string_view part);
  void append(const SentencePieceCuts::Part& part, const std::vector<Piece>& pieces,
              std::vector<Piece>& result) const;

  const SentencePieceLibrary& m_library;
  const SentencePieceCuts& m_cuts;
  std::vector<Piece> m_long;
  std::unordered_map<std::string_view, std::vector<Piece>> m_words;
};

}  // namespace equipatch
