// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/bpe.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/stop_check.h"
#include "core/base/strings.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/piece_model.h"
#include "core/text/pipeline/unigram.h"

namespace equipatch {
namespace {

/// Shortened, for error messages.
std::string shown(const Json& value) {
  constexpr std::size_t kMost = 80;
  const std::string text = value.dump(-1, ' ', true);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "…";
}

std::int64_t idOf(const Json& json, const std::string& piece, const std::string& place) {
  const bool isTooLarge =
      json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
  if (!json.is_number_integer() || isTooLarge)
    throw badInput(place + " should give \"" + piece + "\" an integer id, found " +
                   shown(json));
  return json.get<std::int64_t>();
}

/// The largest number of bytes of a merge line with several spaces. Any of the spaces may
/// separate the pieces, and trying all of them takes quadratic time.
constexpr std::size_t kLongestAmbiguous = 4096;
/// The limit of the sum of bytes × spaces over all such lines.
constexpr std::size_t kMostAmbiguous = std::size_t{1} << 28;

class Builder {
 public:
  Builder(Bpe& model, std::string place, const Progress& progress)
      : m_model(model), m_place(std::move(place)), m_steps(progress) {}

  void readVocabulary(const Json* json) {
    if (!json || !json->is_object())
      throw badInput(m_place + " should have an object under \"vocab\"");
    for (const auto& [piece, id] : json->items()) {
      m_steps.count(kStepsPerEntry + piece.size());
      m_model.vocabulary.add(piece, idOf(id, piece, m_place), m_place);
      if (!piece.empty() && utf8Length(piece[0]) == piece.size())
        m_model.characters.put(Bpe::packed(piece), *m_model.vocabulary.find(piece));
    }
    for (unsigned byte = 0; byte < 256; ++byte)
      m_model.byteTokens[byte] = m_model.vocabulary.find(byteTokenName(byte));
  }

  void readUnknown(const std::optional<std::string>& piece) {
    if (!piece) return;
    m_model.unknown = m_model.vocabulary.find(*piece);
    if (!m_model.unknown)
      throw badInput(m_place + " has the unk_token \"" + *piece +
                     "\", which is not in its vocabulary");
    // Without an unknown token, characters are dropped, and cuts change the tokens. If
    // the unknown token is a single character, fusing confuses it with this character in
    // the text.
    m_model.cutsAreSafe = utf8Length((*piece)[0]) != piece->size();
  }

  void readMerges(const Json* json) {
    if (!json || !json->is_array())
      throw badInput(m_place + " should have a list under \"merges\"");
    std::uint32_t rank = 0;
    for (const Json& merge : *json) {
      const auto [left, right] = partsOf(merge, rank);
      m_steps.count(kStepsPerEntry + left.size() + right.size());
      add(left, right, rank++);
    }
  }

 private:
  using Parts = std::pair<std::string, std::string>;

  Parts partsOf(const Json& merge, std::uint32_t rank) {
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() &&
        merge[1].is_string())
      return {merge[0].get<std::string>(), merge[1].get<std::string>()};
    if (merge.is_string())
      if (auto parts = partsOfLine(merge.get_ref<const std::string&>())) return *parts;
    throw badInput(m_place + " should have two pieces in merge " + std::to_string(rank) +
                   ", found " + shown(merge));
  }

  /// The two pieces of a merge line "a b". A line with several spaces must have exactly
  /// one split whose parts and concatenation are in the vocabulary.
  std::optional<Parts> partsOfLine(const std::string& line) {
    const auto cutAt = [&](std::size_t space) {
      return Parts(line.substr(0, space), line.substr(space + 1));
    };
    const std::size_t first = line.find(' ');
    if (first == std::string::npos) return std::nullopt;
    if (line.find(' ', first + 1) == std::string::npos) return cutAt(first);
    if (line.size() > kLongestAmbiguous) return std::nullopt;
    std::optional<Parts> result;
    for (std::size_t at = first; at != std::string::npos; at = line.find(' ', at + 1)) {
      m_ambiguous += line.size();
      m_steps.count(line.size());
      if (m_ambiguous > kMostAmbiguous)
        throw badInput(m_place +
                       " has more merges with several spaces than can be read; "
                       "expected merges of [piece, piece]");
      Parts parts = cutAt(at);
      const Vocabulary& pieces = m_model.vocabulary;
      if (!pieces.find(parts.first) || !pieces.find(parts.second) ||
          !pieces.find(parts.first + parts.second))
        continue;
      if (result) return std::nullopt;
      result = std::move(parts);
    }
    return result;
  }

  std::uint32_t idOfPart(const std::string& piece, std::uint32_t rank) const {
    const auto id = m_model.vocabulary.find(piece);
    if (!id || piece.empty())
      throw badInput(m_place + " has \"" + piece + "\" in merge " + std::to_string(rank) +
                     ", which is not in its vocabulary");
    return *id;
  }

  void add(const std::string& left, const std::string& right, std::uint32_t rank) {
    const std::uint32_t leftId = idOfPart(left, rank);
    const std::uint32_t rightId = idOfPart(right, rank);
    const std::uint32_t result = idOfPart(left + right, rank);
    m_model.merges.put(Bpe::pairKey(leftId, rightId), {rank, result});

    std::size_t last = left.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(left[last]) & 0xC0) == 0x80) --last;
    m_model.junctions.put(Bpe::pairKey(Bpe::packed(std::string_view(left).substr(last)),
                                       Bpe::packed(std::string_view(right).substr(
                                           0, utf8Length(right[0])))),
                          1);
    // The unknown token and byte tokens stand for text that differs from their names. The
    // junctions are made from the names and lack the characters of this text.
    if (isSymbolic(leftId) || isSymbolic(rightId) || isSymbolic(result))
      m_model.cutsAreSafe = false;
  }

  bool isSymbolic(std::uint32_t id) const {
    if (id == m_model.unknown) return true;
    const std::string& piece = *m_model.vocabulary.piece(id);
    if (piece.size() != 6 || piece.compare(0, 3, "<0x") != 0) return false;
    for (const auto& token : m_model.byteTokens)
      if (token == id) return true;
    return false;
  }

  /// A step is the time to process a byte; storing an entry takes as long as comparing
  /// some dozens of bytes.
  static constexpr std::size_t kStepsPerEntry = 64;

  Bpe& m_model;
  std::string m_place;
  StopCheck m_steps;
  std::size_t m_ambiguous = 0;  ///< the sum that kMostAmbiguous limits
};

void refuseIfSet(JsonObject& fields, const char* key) {
  const auto value = fields.optionalString(key);
  if (value && !value->empty())
    throw unsupported(fields.source() + " has the " + key + " \"" + *value +
                      "\", which is not supported");
}

}  // namespace

std::uint32_t Bpe::packed(std::string_view character) {
  std::uint32_t result = 0;
  for (const char byte : character)
    result = result << 8 | static_cast<unsigned char>(byte);
  return result;
}

Bpe Bpe::parse(const Json* model, const std::string& place, const Progress& progress) {
  if (!model) throw badInput(place + " is missing");
  JsonObject fields(*model, place);
  fields.ignore({"type"});
  refuseIfSet(fields, "continuing_subword_prefix");
  refuseIfSet(fields, "end_of_word_suffix");
  if (fields.optionalNumber("dropout").value_or(0.0) != 0.0)
    throw unsupported(place + " has a dropout, which would make its tokens random");
  Bpe result;
  result.fuseUnknown = fields.boolean("fuse_unk", false);
  result.byteFallback = fields.boolean("byte_fallback", false);
  result.ignoreMerges = fields.boolean("ignore_merges", false);

  Builder builder(result, place, progress);
  builder.readVocabulary(fields.member("vocab"));
  builder.readUnknown(fields.optionalString("unk_token"));
  builder.readMerges(fields.member("merges"));
  requireAllRead(fields);
  return result;
}

namespace {

std::string_view characterAt(std::string_view text, std::size_t offset) {
  return text.substr(offset, utf8Length(text[offset]));
}

/// Puts the lowest rank on top of the heap, and of equal ranks the leftmost.
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

/// The length up to the first place where no merge is possible.
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
    // Another merge may have changed this pair since the candidate was found.
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
