// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/unigram.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <ranges>
#include <string>

#include "core/base/error.h"
#include "core/base/stop_check.h"
#include "core/base/strings.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/piece_model.h"

namespace equipatch {

namespace {

/// The lowest score of a piece minus the score of an unknown character, as in
/// SentencePiece and Hugging Face.
constexpr double kUnknownPenalty = 10.0;

void readPieces(Unigram& model, const Json* list, const std::string& place,
                StopCheck& steps) {
  if (!list || !list->is_array())
    throw badInput(place + " should have a list under \"vocab\"");
  if (list->size() > static_cast<std::size_t>(Vocabulary::kIdLimit))
    throw badInput(place + " has " + std::to_string(list->size()) +
                   " pieces, expected at most " + std::to_string(Vocabulary::kIdLimit));
  for (const Json& entry : *list) {
    const auto id = static_cast<std::uint32_t>(model.scores.size());
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() ||
        !entry[1].is_number())
      throw badInput(place + " should have [piece, score] at " + std::to_string(id) +
                     " of its vocabulary");
    const auto& piece = entry[0].get_ref<const std::string&>();
    steps.count(1 + piece.size());
    model.vocabulary.add(piece, id, place);
    model.scores.push_back(entry[1].get<double>());
    if (!piece.empty()) model.pieces.insert(piece, id);
  }
  model.pieces.link(steps);
}

}  // namespace

std::string byteTokenName(unsigned byte) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
}

Unigram Unigram::parse(const Json& json, const std::string& place,
                       const Progress& progress) {
  JsonObject fields(json, place);
  fields.ignore({"type"});
  Unigram model;
  StopCheck steps(progress);
  readPieces(model, fields.member("vocab"), place, steps);
  const double lowest =
      model.scores.empty() ? 0.0 : *std::ranges::min_element(model.scores);
  model.unknownScore = lowest - kUnknownPenalty;
  const auto last = static_cast<std::int64_t>(model.scores.size()) - 1;
  if (const auto id =
          fields.optionalInteger("unk_id", 0, std::max<std::int64_t>(last, 0)))
    model.unknown = static_cast<std::uint32_t>(*id);
  if (model.unknown && last < 0)
    throw badInput(place + " has an unk_id but an empty vocabulary");
  model.byteFallback = fields.boolean("byte_fallback", false);
  for (unsigned byte = 0; byte < 256; ++byte)
    model.byteTokens[byte] = model.vocabulary.find(byteTokenName(byte));
  requireAllRead(fields);
  return model;
}

const std::vector<PieceToken>& UnigramEncoder::encode(std::string_view preToken) {
  if (const auto word = m_words.find(preToken); word != m_words.end())
    return word->second;
  m_result.clear();
  findPaths(preToken);
  emit(preToken);
  if (preToken.size() <= kLongestCachedPreToken)
    return m_words.emplace(preToken, m_result).first->second;
  return m_result;
}

void UnigramEncoder::findPaths(std::string_view text) {
  m_arrivals.assign(text.size() + 1, {});
  std::uint32_t state = PhraseAutomaton::kStart;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = begin + utf8Length(text[begin]);
    for (std::size_t at = begin; at < end; ++at)
      state = m_model.pieces.step(state, text[at]);
    if (!arriveAt(end, state, begin) && m_model.unknown)
      arrive(end, {m_arrivals[begin].score + m_model.unknownScore,
                   static_cast<std::uint32_t>(begin), *m_model.unknown});
    if (m_arrivals[end].from == kNowhere)
      throw badInput("the tokenizer has no piece for " +
                     inQuotes(text.substr(begin, end - begin)) +
                     " and no unknown token to stand for it; leave it out");
    begin = end;
  }
}

/// Updates the best path to `end` with each piece that ends at `end`, the longest first.
/// @returns whether the character that begins at `character` is a piece.
bool UnigramEncoder::arriveAt(std::size_t end, std::uint32_t state,
                              std::size_t character) {
  bool characterIsPiece = false;
  m_steps.count();
  for (std::uint32_t found = m_model.pieces.longest(state);
       found != PhraseAutomaton::kStart; found = m_model.pieces.shorter(found)) {
    m_steps.count();
    const std::uint32_t id = m_model.pieces.phraseOf(found);
    const std::size_t begin = end - m_model.vocabulary.piece(id)->size();
    arrive(end, {m_arrivals[begin].score + m_model.scores[id],
                 static_cast<std::uint32_t>(begin), id});
    characterIsPiece = begin == character;
  }
  return characterIsPiece;
}

void UnigramEncoder::arrive(std::size_t end, const Arrival& arrival) {
  Arrival& best = m_arrivals[end];
  if (best.from == kNowhere || arrival.score > best.score) best = arrival;
}

/// Emits the best path to the end, with neighbouring unknown characters joined.
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
