#include "core/text/unigram_encoder.h"

#include <algorithm>
#include <ranges>
#include <string>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/text/piece_model.h"

namespace equipatch {

const std::vector<PieceToken>& UnigramEncoder::encode(std::string_view piece) {
  if (const auto word = m_words.find(piece); word != m_words.end()) return word->second;
  m_result.clear();
  findPaths(piece);
  emit(piece);
  if (piece.size() <= kLongestRememberedPiece)
    return m_words.emplace(piece, m_result).first->second;
  return m_result;
}

void UnigramEncoder::findPaths(std::string_view text) {
  m_arrivals.assign(text.size() + 1, {});
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t length = utf8Length(text[begin]);
    const double score = m_arrivals[begin].score;
    const auto from = static_cast<std::uint32_t>(begin);
    bool characterIsPiece = false;
    std::uint32_t node = Unigram::kRoot;
    for (std::size_t end = begin; end < text.size();) {
      const auto* next = m_model.children.find(Unigram::childKey(node, text[end]));
      if (!next) break;
      node = *next;
      ++end;
      const std::uint32_t id = m_model.pieces[node];
      if (id == Unigram::kNoPiece) continue;
      arrive(end, {score + m_model.scores[id], from, id});
      characterIsPiece = characterIsPiece || end == begin + length;
    }
    if (!characterIsPiece) {
      if (!m_model.unknown)
        throw badInput("the tokenizer has no piece for " +
                       inQuotes(text.substr(begin, length)) +
                       " and no unknown token to stand for it; leave it out");
      arrive(begin + length, {score + m_model.unknownScore, from, *m_model.unknown});
    }
    begin += length;
  }
}

void UnigramEncoder::arrive(std::size_t end, const Arrival& arrival) {
  Arrival& best = m_arrivals[end];
  if (best.from == kNowhere || arrival.score > best.score) best = arrival;
}

/// The best path to the end, its unknown neighbours joined.
void UnigramEncoder::emit(std::string_view text) {
  m_path.clear();
  for (std::size_t end = text.size(); end > 0;) {
    const Arrival& arrival = m_arrivals[end];
    const bool joins = !m_path.empty() && m_model.unknown &&
                       arrival.id == *m_model.unknown && m_path.back().id == arrival.id;
    if (joins)
      m_path.back().range.begin = arrival.from;
    else
      m_path.push_back({arrival.id, {arrival.from, end}});
    end = arrival.from;
  }
  for (const PieceToken& token : m_path | std::views::reverse) {
    if (m_model.unknown && token.id == *m_model.unknown)
      emitUnknown(text, token.range);
    else
      m_result.push_back(token);
  }
}

/// Joined unknown characters may spell a piece, or be written byte by byte.
void UnigramEncoder::emitUnknown(std::string_view text, ByteSpan range) {
  const std::string_view bytes = text.substr(range.begin, range.end - range.begin);
  if (const auto id = m_model.vocabulary.find(bytes)) {
    m_result.push_back({*id, range});
    return;
  }
  const auto tokenOf = [&](char byte) {
    return m_model.byteTokens[static_cast<unsigned char>(byte)];
  };
  const bool spells = m_model.byteFallback && std::ranges::all_of(bytes, [&](char byte) {
                        return tokenOf(byte).has_value();
                      });
  if (!spells) {
    m_result.push_back({*m_model.unknown, range});
    return;
  }
  for (std::size_t at = range.begin; at < range.end; ++at)
    m_result.push_back({*tokenOf(text[at]), {at, at + 1}});
}

}  // namespace equipatch
