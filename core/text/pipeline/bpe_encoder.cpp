// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/bpe_encoder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/strings.h"
#include "core/text/pipeline/piece_model.h"

namespace equipatch {

namespace {

std::string_view characterAt(std::string_view text, std::size_t offset) {
  return text.substr(offset, utf8Length(text[offset]));
}

/// Heap order: the lowest rank first, and of equal ranks the leftmost.
constexpr auto kComesLater = [](const auto& a, const auto& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.left > b.left;
};

}  // namespace

const std::vector<PieceToken>& BpeEncoder::encode(std::string_view preToken) {
  m_result.clear();
  if (m_model.ignoreMerges) {
    if (const auto id = m_model.vocabulary.find(preToken)) {
      m_result.push_back({*id, {0, preToken.size()}});
      return m_result;
    }
  }
  for (std::size_t at = 0; at < preToken.size();) {
    const std::size_t length = segmentLength(preToken.substr(at));
    m_steps.count(length);
    appendSegment(preToken.substr(at, length), at);
    at += length;
  }
  return m_result;
}

/// The length up to the first boundary that no merge crosses.
std::size_t BpeEncoder::segmentLength(std::string_view text) const {
  if (!m_model.cutsAreSafe) return text.size();
  std::uint32_t previous = Bpe::packed(characterAt(text, 0));
  std::size_t at = utf8Length(text[0]);
  while (at < text.size()) {
    const std::uint32_t current = Bpe::packed(characterAt(text, at));
    if (!m_model.junctions.find(Bpe::pairKey(previous, current))) break;
    previous = current;
    at += utf8Length(text[at]);
  }
  return at;
}

void BpeEncoder::appendSegment(std::string_view segment, std::size_t offset) {
  if (const auto cached = m_cache.find(segment); cached != m_cache.end()) {
    for (std::size_t i = 0; i < cached->second.count; ++i)
      append(m_cachedTokens[cached->second.first + i], offset);
    return;
  }
  makeSymbols(segment);
  makeCandidates();
  mergeAll();
  const std::size_t first = m_cachedTokens.size();
  const bool isCached = segment.size() <= kLongestCachedPreToken;
  for (const Symbol& symbol : m_symbols) {
    if (symbol.begin == symbol.end) continue;
    const PieceToken token{symbol.id, {symbol.begin, symbol.end}};
    append(token, offset);
    if (isCached) m_cachedTokens.push_back(token);
  }
  if (isCached)
    m_cache.emplace(segment, CachedRange{first, m_cachedTokens.size() - first});
}

void BpeEncoder::append(const PieceToken& token, std::size_t offset) {
  const ByteSpan range{token.range.begin + offset, token.range.end + offset};
  const bool isFused = m_model.cutsAreSafe && m_model.fuseUnknown && !m_result.empty() &&
                       token.id == m_model.unknown && m_result.back().id == token.id;
  if (isFused)
    m_result.back().range.end = range.end;
  else
    m_result.push_back({token.id, range});
}

void BpeEncoder::makeSymbols(std::string_view segment) {
  m_symbols.clear();
  for (std::size_t at = 0; at < segment.size();) {
    const ByteSpan character{at, at + utf8Length(segment[at])};
    const auto* id = m_model.characters.find(Bpe::packed(characterAt(segment, at)));
    if (id)
      addSymbol(*id, character);
    else if (!addBytes(segment, character))
      addUnknown(character);
    at = character.end;
  }
}

bool BpeEncoder::addBytes(std::string_view segment, ByteSpan character) {
  if (!m_model.byteFallback) return false;
  const auto tokenAt = [&](std::size_t at) {
    return m_model.byteTokens[static_cast<unsigned char>(segment[at])];
  };
  for (std::size_t at = character.begin; at < character.end; ++at)
    if (!tokenAt(at)) return false;
  for (std::size_t at = character.begin; at < character.end; ++at)
    addSymbol(*tokenAt(at), {at, at + 1});
  return true;
}

void BpeEncoder::addUnknown(ByteSpan character) {
  if (!m_model.unknown) return;
  const bool isFused = m_model.fuseUnknown && m_lastIsUnknown && !m_symbols.empty() &&
                       m_symbols.back().end == character.begin;
  if (isFused)
    m_symbols.back().end = static_cast<std::uint32_t>(character.end);
  else
    addSymbol(*m_model.unknown, character);
  m_lastIsUnknown = true;
}

void BpeEncoder::addSymbol(std::uint32_t id, ByteSpan range) {
  const auto index = static_cast<std::uint32_t>(m_symbols.size());
  m_lastIsUnknown = false;
  if (index > 0) m_symbols.back().next = index;
  m_symbols.push_back({.id = id,
                       .begin = static_cast<std::uint32_t>(range.begin),
                       .end = static_cast<std::uint32_t>(range.end),
                       .previous = index > 0 ? index - 1 : kNone,
                       .next = kNone});
}

void BpeEncoder::makeCandidates() {
  m_candidates.clear();
  for (std::uint32_t i = 0; i + 1 < m_symbols.size(); ++i)
    if (const Bpe::Merge* merge = mergeAfter(i))
      m_candidates.push_back({merge->rank, i, merge->result});
  std::make_heap(m_candidates.begin(), m_candidates.end(), kComesLater);
}

/// The merge of the symbol with the next one, or nullptr.
const Bpe::Merge* BpeEncoder::mergeAfter(std::uint32_t left) const {
  const std::uint32_t right = m_symbols[left].next;
  if (right == kNone) return nullptr;
  return m_model.merges.find(Bpe::pairKey(m_symbols[left].id, m_symbols[right].id));
}

void BpeEncoder::consider(std::uint32_t left) {
  const Bpe::Merge* merge = mergeAfter(left);
  if (!merge) return;
  m_candidates.push_back({merge->rank, left, merge->result});
  std::push_heap(m_candidates.begin(), m_candidates.end(), kComesLater);
}

void BpeEncoder::mergeAll() {
  while (!m_candidates.empty()) {
    m_steps.count();
    std::pop_heap(m_candidates.begin(), m_candidates.end(), kComesLater);
    const Candidate candidate = m_candidates.back();
    m_candidates.pop_back();
    Symbol& left = m_symbols[candidate.left];
    if (left.begin == left.end) continue;
    // A neighbouring merge may have changed this symbol since the candidate was found.
    const Bpe::Merge* merge = mergeAfter(candidate.left);
    if (!merge || merge->result != candidate.result) continue;

    Symbol& right = m_symbols[left.next];
    left.id = candidate.result;
    left.end = right.end;
    left.next = right.next;
    right.end = right.begin;
    if (left.next != kNone) m_symbols[left.next].previous = candidate.left;
    if (left.previous != kNone) consider(left.previous);
    consider(candidate.left);
  }
}

}  // namespace equipatch
