// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/aligned_text.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/base/strings.h"

namespace equipatch {

AlignedText::AlignedText(std::string_view text, std::size_t offset)
    : AlignedText(text, offset, TextLimits::of(text.size())) {}

AlignedText::AlignedText(std::string_view text, std::size_t offset,
                         const TextLimits& limits)
    : m_offset(offset), m_limits(limits) {
  TextLimits::of(text.size()).requireSize(text.size());
  m_text = text;
}

AlignedText AlignedText::slice(ByteSpan range) const {
  AlignedText part(std::string_view(m_text).substr(range.begin, range.end - range.begin),
                   m_offset + range.begin, m_limits);
  if (!m_origins.empty())
    part.m_origins.assign(m_origins.begin() + static_cast<std::ptrdiff_t>(range.begin),
                          m_origins.begin() + static_cast<std::ptrdiff_t>(range.end) + 1);
  return part;
}

TextRewriter::TextRewriter(const AlignedText& source)
    : m_source(source), m_steps(source.limits()), m_next(source.origin(0)) {
  m_text.reserve(source.text().size());
  m_origins.reserve(source.text().size() + 1);
}

void TextRewriter::keep(std::size_t count) {
  if (count == 0) return;
  m_steps.count(count);
  m_source.limits().requireSize(m_text.size() + count);
  m_text.append(m_source.text(), m_position, count);
  m_origins.push_back(static_cast<std::uint32_t>(m_next));
  for (std::size_t i = 1; i < count; ++i)
    m_origins.push_back(static_cast<std::uint32_t>(m_source.origin(m_position + i)));
  m_position += count;
  m_next = m_source.origin(m_position);
}

void TextRewriter::replace(std::size_t count, std::string_view text) {
  m_position += count;
  m_steps.count(1 + text.size());
  if (text.empty()) return;
  m_source.limits().requireSize(m_text.size() + text.size());
  const std::size_t end = m_source.origin(m_position);
  const std::size_t firstLength = std::min(utf8Length(text[0]), text.size());
  // A token may end inside the first character of `text`. Therefore each byte of this
  // character needs its own origin.
  const auto originWithin = [&](std::size_t i) {
    return count == text.size() ? m_source.origin(m_position - count + i)
                                : std::min(m_next + i, end);
  };
  m_origins.push_back(static_cast<std::uint32_t>(m_next));
  for (std::size_t i = 1; i < text.size(); ++i)
    m_origins.push_back(
        static_cast<std::uint32_t>(i < firstLength ? originWithin(i) : end));
  m_text += text;
  m_next = end;
}

AlignedText TextRewriter::finish() {
  keep(m_source.text().size() - m_position);
  m_origins.push_back(
      static_cast<std::uint32_t>(m_source.origin(m_source.text().size())));
  AlignedText result(std::string_view{}, 0, m_source.limits());
  result.m_text = std::move(m_text);
  result.m_origins = std::move(m_origins);
  return result;
}

namespace {

struct Part {
  ByteSpan range;
  bool isDelimiter;
};

/// The matches and the text between them, in order.
/// @param size of the pre-token
std::vector<Part> partsOf(const std::vector<ByteSpan>& matches, std::size_t size,
                          MatchSense sense) {
  const bool matchIsDelimiter = sense == MatchSense::Delimiters;
  std::vector<Part> parts;
  parts.reserve(2 * matches.size() + 1);
  std::size_t at = 0;
  for (const ByteSpan& match : matches) {
    if (at != match.begin) parts.push_back({{at, match.begin}, !matchIsDelimiter});
    parts.push_back({match, matchIsDelimiter});
    at = match.end;
  }
  if (at != size) parts.push_back({{at, size}, !matchIsDelimiter});
  return parts;
}

/// Joins adjacent parts if `joins` is true for their values of `isDelimiter`.
template <typename Joins>
std::vector<ByteSpan> mergedParts(const std::vector<Part>& parts, Joins joins) {
  std::vector<ByteSpan> preTokens;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && joins(parts[i - 1].isDelimiter, parts[i].isDelimiter))
      preTokens.back().end = parts[i].range.end;
    else
      preTokens.push_back(parts[i].range);
  }
  return preTokens;
}

std::vector<ByteSpan> withoutDelimiters(const std::vector<Part>& parts) {
  std::vector<ByteSpan> preTokens;
  for (const Part& part : parts)
    if (!part.isDelimiter) preTokens.push_back(part.range);
  return preTokens;
}

std::vector<ByteSpan> preTokensOf(const std::vector<Part>& parts,
                                  SplitBehavior behavior) {
  switch (behavior) {
    case SplitBehavior::Removed:
      return withoutDelimiters(parts);
    case SplitBehavior::Isolated:
      return mergedParts(parts, [](bool, bool) { return false; });
    case SplitBehavior::MergedWithPrevious:
      return mergedParts(parts,
                         [](bool previous, bool next) { return next && !previous; });
    case SplitBehavior::MergedWithNext:
      return mergedParts(parts,
                         [](bool previous, bool next) { return previous && !next; });
    case SplitBehavior::Contiguous:
      return mergedParts(parts,
                         [](bool previous, bool next) { return previous == next; });
  }
  return {};
}

struct NamedBehavior {
  const char* name;
  SplitBehavior behavior;
};

constexpr std::array<NamedBehavior, 5> kBehaviors{{
    {"Removed", SplitBehavior::Removed},
    {"Isolated", SplitBehavior::Isolated},
    {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
    {"MergedWithNext", SplitBehavior::MergedWithNext},
    {"Contiguous", SplitBehavior::Contiguous},
}};

}  // namespace

SplitBehavior parseSplitBehavior(const std::string& name, const std::string& place) {
  for (const NamedBehavior& candidate : kBehaviors)
    if (name == candidate.name) return candidate.behavior;
  throw badInput(place +
                 " should have the behavior Removed, Isolated, "
                 "MergedWithPrevious, MergedWithNext or Contiguous, found \"" +
                 name + "\"");
}

PreTokenizedText::PreTokenizedText(AlignedText whole) : text(std::move(whole)) {
  if (!text.text().empty()) preTokens.push_back({0, text.text().size()});
}

void PreTokenizedText::split(
    const std::function<std::vector<ByteSpan>(std::string_view preToken)>& matchesOf,
    SplitBehavior behavior, MatchSense sense) {
  std::vector<ByteSpan> result;
  for (const ByteSpan& range : preTokens) {
    const std::vector<ByteSpan> matches = matchesOf(bytes(range));
    const std::vector<Part> parts = partsOf(matches, range.end - range.begin, sense);
    for (const ByteSpan& part : preTokensOf(parts, behavior))
      if (!part.empty())
        result.push_back({range.begin + part.begin, range.begin + part.end});
  }
  preTokens = std::move(result);
}

void PreTokenizedText::rewrite(
    const std::function<void(TextRewriter&, ByteSpan preToken)>& rewriteOne) {
  TextRewriter rewriter(text);
  std::vector<ByteSpan> result;
  result.reserve(preTokens.size());
  for (const ByteSpan& range : preTokens) {
    rewriter.replace(range.begin - rewriter.position(), "");
    const std::size_t begin = rewriter.size();
    rewriteOne(rewriter, range);
    if (rewriter.size() != begin) result.push_back({begin, rewriter.size()});
  }
  rewriter.replace(text.text().size() - rewriter.position(), "");
  text = rewriter.finish();
  preTokens = std::move(result);
}

}  // namespace equipatch
