// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/added_tokens.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "core/base/error.h"
#include "core/base/stop_check.h"
#include "core/base/strings.h"
#include "core/text/pipeline/component.h"

namespace equipatch {

PhraseMatcher::PhraseMatcher(const std::vector<std::string>& phrases,
                             const Progress& progress) {
  StopCheck steps(progress);
  m_lengths.reserve(phrases.size());
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    steps.count(1 + phrases[i].size());
    m_lengths.push_back(phrases[i].size());
    const std::string reversed(phrases[i].rbegin(), phrases[i].rend());
    if (!reversed.empty()) m_reversed.insert(reversed, static_cast<std::uint32_t>(i));
  }
  m_reversed.link(steps);
}

std::vector<PhraseMatcher::Match> PhraseMatcher::matches(std::string_view text,
                                                         const TextLimits& limits) const {
  std::vector<Match> longest;  // one for each start, the last start first
  std::uint32_t state = PhraseAutomaton::kStart;
  StepCounter steps(limits);
  if (!m_reversed.isEmpty())
    for (std::size_t at = text.size(); at-- > 0;) {
      steps.count();
      state = m_reversed.step(state, text[at]);
      const std::uint32_t found = m_reversed.longest(state);
      if (found == PhraseAutomaton::kStart) continue;
      const std::size_t phrase = m_reversed.phraseOf(found);
      longest.push_back({{at, at + m_lengths[phrase]}, phrase});
    }
  std::vector<Match> result;
  std::size_t end = 0;
  for (const Match& match : longest | std::views::reverse) {
    if (match.range.begin < end) continue;
    result.push_back(match);
    end = match.range.end;
  }
  return result;
}

namespace {

constexpr std::uint32_t kWordCategories =
    U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK;  // in addition to alphabetic characters

bool isWordCharacter(UChar32 character) {
  return u_hasBinaryProperty(character, UCHAR_ALPHABETIC) ||
         u_hasBinaryProperty(character, UCHAR_JOIN_CONTROL) ||
         (U_GET_GC_MASK(character) & kWordCategories) != 0;
}

UChar32 lastCharacter(std::string_view text) {
  std::size_t at = text.size();
  UChar32 character = 0;
  U8_PREV_UNSAFE(text.data(), at, character);
  return character;
}

bool isWithinWord(std::string_view text, ByteSpan range) {
  const std::string_view before = text.substr(0, range.begin);
  const std::string_view after = text.substr(range.end);
  return (!before.empty() && isWordCharacter(lastCharacter(before))) ||
         (!after.empty() && isWordCharacter(static_cast<UChar32>(firstCharacter(after))));
}

/// `range` extended by the white space that the token strips, but not before `from`.
ByteSpan withSpace(const AddedToken& token, std::string_view text, ByteSpan range,
                   std::size_t from) {
  while (token.stripsLeft && range.begin > from) {
    std::size_t at = range.begin;
    UChar32 character = 0;
    U8_PREV_UNSAFE(text.data(), at, character);
    if (!u_isUWhiteSpace(character)) break;
    range.begin = at;
  }
  while (token.stripsRight && range.end < text.size()) {
    std::size_t at = range.end;
    UChar32 character = 0;
    U8_NEXT_UNSAFE(text.data(), at, character);
    if (!u_isUWhiteSpace(character)) break;
    range.end = at;
  }
  return range;
}

AddedToken readToken(const Json& json, const std::string& place) {
  JsonObject fields(json, place);
  AddedToken token;
  token.content = fields.string("content");
  token.id =
      static_cast<std::uint32_t>(fields.integer("id", 0, Vocabulary::kIdLimit - 1));
  token.special = fields.boolean("special", false);
  token.singleWord = fields.boolean("single_word", false);
  token.stripsLeft = fields.boolean("lstrip", false);
  token.stripsRight = fields.boolean("rstrip", false);
  token.normalized = fields.boolean("normalized", !token.special);
  requireAllRead(fields);
  return token;
}

}  // namespace

AddedTokens AddedTokens::parse(const Json* json, const Vocabulary& model,
                               const Normalizer& normalizer, const std::string& place,
                               const Progress& progress) {
  AddedTokens result;
  if (!json) return result;
  if (!json->is_array())
    throw badInput(place + " should be a list, found " + json->type_name());
  Vocabulary known;
  for (const Json& entry : *json) {
    progress.throwIfStopped();
    AddedToken token =
        readToken(entry, place + "[" + std::to_string(result.m_tokens.size()) + "]");
    known.add(token.content, token.id, place);
    const std::string* piece = model.piece(token.id);
    const auto id = model.find(token.content);
    if ((piece && *piece != token.content) || (id && *id != token.id))
      throw badInput(
          place + " gives \"" + token.content + "\" the id " + std::to_string(token.id) +
          ", but in the model's vocabulary " +
          (id ? "it has the id " + std::to_string(*id) : "that is \"" + *piece + "\""));
    result.m_byId.put(token.id, result.m_tokens.size());
    result.m_tokens.push_back(std::move(token));
  }
  result.m_size = known.size();
  result.makeGroups(normalizer, progress);
  return result;
}

void AddedTokens::makeGroups(const Normalizer& normalizer, const Progress& progress) {
  std::vector<std::string> raw;
  std::vector<std::string> normalized;
  std::size_t size = 0;
  for (const AddedToken& token : m_tokens) size += token.content.size();
  TextLimits limits = TextLimits::of(size);
  for (std::size_t i = 0; i < m_tokens.size(); ++i) {
    progress.throwIfStopped();
    const AddedToken& token = m_tokens[i];
    (token.normalized ? m_normalized : m_raw).members.push_back(i);
    if (!token.normalized) {
      raw.push_back(token.content);
      continue;
    }
    normalized.push_back(
        normalizer.normalize(AlignedText(token.content, 0, limits)).text());
    limits.countBytes(normalized.back().size());
  }
  m_raw.matcher = PhraseMatcher(raw, progress);
  m_normalized.matcher = PhraseMatcher(normalized, progress);
}

std::vector<AddedTokens::Part> AddedTokens::splitRaw(std::string_view text,
                                                     const TextLimits& limits) const {
  return split(m_raw, text, limits);
}

std::vector<AddedTokens::Part> AddedTokens::splitNormalized(
    std::string_view text, const TextLimits& limits) const {
  return split(m_normalized, text, limits);
}

std::vector<AddedTokens::Part> AddedTokens::split(const Group& group,
                                                  std::string_view text,
                                                  const TextLimits& limits) const {
  std::vector<Part> parts;
  std::size_t at = 0;
  for (const PhraseMatcher::Match& match : group.matcher.matches(text, limits)) {
    const AddedToken& token = m_tokens[group.members[match.phrase]];
    if (match.range.begin < at) continue;  // part of the previous token's white space
    if (token.singleWord && isWithinWord(text, match.range)) continue;
    const ByteSpan range = withSpace(token, text, match.range, at);
    if (range.begin > at) parts.push_back({{at, range.begin}, nullptr});
    parts.push_back({range, &token});
    at = range.end;
  }
  if (at < text.size()) parts.push_back({{at, text.size()}, nullptr});
  return parts;
}

const AddedToken* AddedTokens::find(std::int64_t id) const {
  if (id < 0) return nullptr;
  const std::size_t* index = m_byId.find(static_cast<std::uint64_t>(id));
  return index ? &m_tokens[*index] : nullptr;
}

const AddedToken* AddedTokens::find(const std::string& content) const {
  for (const AddedToken& token : m_tokens)
    if (token.content == content) return &token;
  return nullptr;
}

}  // namespace equipatch
