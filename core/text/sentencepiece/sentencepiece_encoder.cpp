// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece/sentencepiece_encoder.h"

#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/base/stop_check.h"
#include "core/base/strings.h"
#include "core/text/pipeline/bpe.h"
#include "core/text/pipeline/piece_model.h"

namespace equipatch {

namespace {

constexpr std::string_view kSpaceMark = "▁";

/// The character at `at`; "▁" for a space, as in the library.
std::uint32_t packedCharacterAt(std::string_view text, std::size_t at) {
  if (text[at] == ' ') return Bpe::packed(kSpaceMark);
  return Bpe::packed(text.substr(at, utf8Length(text[at])));
}

}  // namespace

SentencePieceCuts::SentencePieceCuts(const SentencePieceFile& file,
                                     const Progress& progress)
    : m_byteFallback(file.byteFallback), m_addsPrefix(file.addsDummyPrefix) {
  using Algorithm = SentencePieceFile::Algorithm;
  for (const std::string& piece : file.pieces)
    m_longestPiece = std::max(m_longestPiece, piece.size());
  // With other settings, normalization may depend on the characters on both sides of a
  // cut.
  m_isSafe = file.algorithm == Algorithm::BytePair && !file.replacesCharacters &&
             !file.removesExtraSpaces && file.escapesSpaces && !file.spaceIsSuffix;
  if (!m_isSafe) return;
  StopCheck steps(progress);
  for (const std::string& piece : file.pieces) {
    steps.count(1 + piece.size());
    if (piece.empty() || firstInvalidUtf8(piece) != std::string::npos) continue;
    std::uint32_t left = packedCharacterAt(piece, 0);
    std::size_t at = utf8Length(piece[0]);
    if (at == piece.size()) m_characters.put(left, 1);
    for (; at < piece.size(); at += utf8Length(piece[at])) {
      const std::uint32_t right = packedCharacterAt(piece, at);
      m_neighbours.put(Bpe::pairKey(left, right), 1);
      left = right;
    }
  }
  // If "▁" is not a piece, the library could join it with other unknown characters.
  m_isSafe = m_characters.find(Bpe::packed(kSpaceMark)) != nullptr;
}

/// Without byte fallback, neighbouring unknown characters become one token, which a cut
/// between them would divide. Therefore `right` must be known.
bool SentencePieceCuts::mayCut(std::uint32_t left, std::uint32_t right) const {
  if (m_neighbours.find(Bpe::pairKey(left, right))) return false;
  return m_byteFallback || m_characters.find(right) != nullptr;
}

std::vector<SentencePieceCuts::Part> SentencePieceCuts::partsOf(
    std::string_view text) const {
  std::vector<Part> parts;
  if (text.empty()) return parts;
  parts.push_back({{0, text.size()}, Prefix::OfText});
  if (!m_isSafe) return parts;
  const std::uint32_t space = Bpe::packed(kSpaceMark);
  std::uint32_t left = packedCharacterAt(text, 0);
  for (std::size_t at = utf8Length(text[0]); at < text.size();) {
    const std::uint32_t right = packedCharacterAt(text, at);
    const std::size_t next = at + utf8Length(text[at]);
    const bool beginsPart = parts.back().range.begin == at;
    if (!beginsPart && mayCut(left, right)) {
      if (!m_addsPrefix) {
        parts.back().range.end = at;
        parts.push_back({{at, text.size()}, Prefix::OfText});
      } else if (text[at] == ' ' && next < text.size()) {
        parts.back().range.end = at;
        parts.push_back({{next, text.size()}, Prefix::ForSpace});
      } else if (text[at] != ' ' && mayCut(space, right)) {
        parts.back().range.end = at;
        parts.push_back({{at, text.size()}, Prefix::Superfluous});
      }
    }
    left = right;
    at = next;
  }
  return parts;
}

namespace {

using Piece = SentencePieceLibrary::Piece;
using Prefix = SentencePieceCuts::Prefix;

/// Distributes the bytes of a character among its byte tokens `run`. The library assigns
/// all bytes to the last token.
void shareBytes(std::span<Piece> run) {
  const std::size_t begin = run.front().begin;
  const std::size_t end = run.back().end;
  for (std::size_t i = 0; i < run.size(); ++i) {
    run[i].begin = std::min(begin + i, end);
    run[i].end = i + 1 == run.size() ? end : std::min(begin + i + 1, end);
  }
}

void shareAllBytes(const SentencePieceLibrary& library, std::vector<Piece>& pieces) {
  std::size_t runBegin = 0;  // of the byte tokens of one character
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool isByte = library.isByte(pieces[i].id);
    const bool endsRun = isByte && pieces[i].end > pieces[i].begin;
    if (endsRun) shareBytes(std::span(pieces).subspan(runBegin, i + 1 - runBegin));
    if (endsRun || !isByte) runBegin = i + 1;
  }
}

}  // namespace

std::vector<Piece> SentencePieceEncoder::encode(std::string_view text) {
  std::vector<Piece> result;
  StepCounter steps(m_limits);
  for (const SentencePieceCuts::Part& part : m_cuts.partsOf(text)) {
    const std::string_view bytes =
        text.substr(part.range.begin, part.range.end - part.range.begin);
    steps.count(1 + bytes.size());
    append(part, piecesOf(bytes), result);
  }
  return result;
}

/// Refuses a part that would take the library more than a few seconds, because the
/// library cannot be stopped.
void SentencePieceEncoder::requireFewSteps(std::string_view part) const {
  constexpr std::size_t kMostSteps = std::size_t{1} << 32;
  const std::size_t ahead = std::min(m_cuts.longestPiece(), part.size());
  if (ahead > 0 && part.size() > kMostSteps / ahead)
    throw Error(
        ErrorKind::Resource,
        "a part of " + std::to_string(part.size()) +
            " bytes of the text takes too long with pieces of up to " +
            std::to_string(m_cuts.longestPiece()) +
            " bytes; give a shorter text, or download the tokenizer's files again "
            "from the model's publisher");
}

const std::vector<Piece>& SentencePieceEncoder::piecesOf(std::string_view part) {
  const bool remembers = part.size() <= kLongestCachedPreToken;
  if (remembers)
    if (const auto word = m_words.find(part); word != m_words.end()) return word->second;
  std::vector<Piece>& pieces = remembers ? m_words[part] : m_long;
  pieces.clear();
  requireFewSteps(part);
  const std::string problem = m_library.encode(part, pieces);
  if (!problem.empty())
    throw badInput("SentencePiece cannot encode the text: " +
                   replaceInvalidUtf8(problem));
  shareAllBytes(m_library, pieces);
  return pieces;
}

void SentencePieceEncoder::append(const SentencePieceCuts::Part& part,
                                  const std::vector<Piece>& pieces,
                                  std::vector<Piece>& result) const {
  const std::size_t first = part.prefix == Prefix::Superfluous ? 1 : 0;
  for (std::size_t i = first; i < pieces.size(); ++i)
    result.push_back({pieces[i].id, pieces[i].begin + part.range.begin,
                      pieces[i].end + part.range.begin});
  if (part.prefix == Prefix::ForSpace && !pieces.empty())
    result[result.size() - pieces.size()].begin = part.range.begin - 1;
}

}  // namespace equipatch
