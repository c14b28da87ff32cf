#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/sentencepiece_cuts.h"
#include "core/text/sentencepiece_library.h"

namespace equipatch {

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
