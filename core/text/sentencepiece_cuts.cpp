#include "core/text/sentencepiece_cuts.h"

#include "core/base/strings.h"
#include "core/text/bpe.h"

namespace equipatch {
namespace {

constexpr std::string_view kSpaceMark = "▁";

/// The character at `at`, a space as the library writes it.
std::uint32_t packedCharacterAt(std::string_view text, std::size_t at) {
  if (text[at] == ' ') return Bpe::packed(kSpaceMark);
  return Bpe::packed(text.substr(at, utf8Length(text[at])));
}

}  // namespace

SentencePieceCuts::SentencePieceCuts(const SentencePieceFile& file)
    : m_byteFallback(file.byteFallback), m_addsPrefix(file.addsDummyPrefix) {
  using Algorithm = SentencePieceFile::Algorithm;
  // Whatever else changes characters might look at those on both sides of a cut.
  m_isSafe = file.algorithm == Algorithm::BytePair && !file.replacesCharacters &&
             !file.removesExtraSpaces && file.escapesSpaces && !file.spaceIsSuffix;
  if (!m_isSafe) return;
  for (const std::string& piece : file.pieces) {
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
  // A "▁" that is unknown could become one token with other unknown characters.
  m_isSafe = m_characters.find(Bpe::packed(kSpaceMark)) != nullptr;
}

/// Neighbouring unknown characters become one token unless they are written in bytes.
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

}  // namespace equipatch
