#include "core/text/sentencepiece_encoder.h"

#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/text/piece_model.h"

namespace equipatch {
namespace {

using Piece = SentencePieceLibrary::Piece;
using Prefix = SentencePieceCuts::Prefix;

/// The library gives the bytes of a character to the last of its byte tokens and none to
/// the others: gives each its own. `run` are the tokens of one character.
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
  for (const SentencePieceCuts::Part& part : m_cuts.partsOf(text))
    append(part,
           piecesOf(text.substr(part.range.begin, part.range.end - part.range.begin)),
           result);
  return result;
}

const std::vector<Piece>& SentencePieceEncoder::piecesOf(std::string_view part) {
  const bool remembers = part.size() <= kLongestRememberedPiece;
  if (remembers)
    if (const auto word = m_words.find(part); word != m_words.end()) return word->second;
  std::vector<Piece>& pieces = remembers ? m_words[part] : m_long;
  pieces.clear();
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
