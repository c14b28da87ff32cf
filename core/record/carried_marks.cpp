// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/carried_marks.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace equipatch {
namespace {

using Flags = std::vector<bool>;  // for each token or byte, whether it is kept
using FlagIterator = Flags::const_iterator;

Flags flagsOf(const TextMarks& marks) {
  Flags kept(marks.text.size(), false);
  for (const ByteSpan& span : marks.kept)
    for (std::size_t at = span.begin; at < std::min(span.end, kept.size()); ++at)
      kept[at] = true;
  return kept;
}

/// True if the two ranges together contain both true and false.
bool isMixed(FlagIterator first, FlagIterator firstEnd, FlagIterator second,
             FlagIterator secondEnd) {
  const auto has = [&](bool value) {
    return std::find(first, firstEnd, value) != firstEnd ||
           std::find(second, secondEnd, value) != secondEnd;
  };
  return has(true) && has(false);
}

struct CommonParts {
  std::size_t before = 0;  ///< elements at the beginning
  std::size_t after = 0;   ///< elements at the end, none of which are in `before`
};

template <typename Sequence, typename Equal>
CommonParts commonParts(const Sequence& from, const Sequence& to, Equal equal) {
  CommonParts common;
  const std::size_t shorter = std::min(from.size(), to.size());
  while (common.before < shorter && equal(from[common.before], to[common.before]))
    ++common.before;
  while (common.after < shorter - common.before &&
         equal(from[from.size() - 1 - common.after], to[to.size() - 1 - common.after]))
    ++common.after;
  return common;
}

/// @param size of the new sequence
/// @param keepsStart whether new elements at the beginning count as following a kept one
/// @param keepsGenerated whether generated tokens, which follow the sequence, are kept
/// @returns the flags of the new sequence; nullopt: absorb everything
std::optional<Flags> carriedFlags(const Flags& old, const CommonParts& common,
                                  std::size_t size, bool keepsStart,
                                  bool keepsGenerated) {
  const auto [before, after] = common;
  const bool keptBefore = before > 0 ? old[before - 1] : keepsStart;
  const bool keptAfter = after > 0 ? old[old.size() - after] : keepsGenerated;
  const auto begin = old.begin() + std::ptrdiff_t(before);
  const auto end = old.end() - std::ptrdiff_t(after);
  const bool replacesKept = std::find(begin, end, false) == end;
  const bool replacesBoth = !replacesKept && std::find(begin, end, true) != end;
  if (replacesBoth && !isMixed(old.begin(), begin, end, old.end())) return std::nullopt;
  const bool keepsNew = keptBefore && keptAfter && replacesKept;
  Flags kept(size, keepsNew);
  std::copy_n(old.begin(), before, kept.begin());
  std::copy_n(end, after, kept.end() - static_cast<std::ptrdiff_t>(after));
  const auto absorbsSome = [](const Flags& flags) {
    return std::ranges::count(flags, false) > 0;
  };
  // The user absorbed something; keeping everything would leave nothing to patch.
  if (keepsGenerated && absorbsSome(old) && !absorbsSome(kept)) return std::nullopt;
  return kept;
}

/// True for a special token, such as BOS, that the tokenizer adds to the text.
bool isAddedSpecial(const Token& token) {
  return token.special && token.span.empty();
}

}  // namespace

TextMarks textMarksOf(const AbsorbedSet& set, const std::vector<Token>& tokens,
                      const std::string& text) {
  TextMarks marks{.text = text, .kept = {}, .keepsGenerated = set.keepsGenerated};
  const Flags kept = set.keptFlags(std::ssize(tokens));
  const bool hasStart = !tokens.empty() && isAddedSpecial(tokens.front());
  marks.keepsStart = hasStart ? kept.front() : set.keepsGenerated;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const ByteSpan& span = tokens[i].span;
    if (!kept[i] || span.empty()) continue;
    if (!marks.kept.empty() && marks.kept.back().end == span.begin)
      marks.kept.back().end = span.end;
    else
      marks.kept.push_back(span);
  }
  return marks;
}

AbsorbedSet absorbedSetOf(const TextMarks& marks, const std::vector<Token>& tokens,
                          const std::string& text,
                          const std::vector<PositionRange>& images) {
  if (marks.text != text)
    return absorbedSetOf(carriedOver(marks, text), tokens, text, images);
  const Flags bytes = flagsOf(marks);
  Flags kept(tokens.size(), marks.keepsGenerated);
  for (std::size_t i = tokens.size(); i-- > 0;) {
    const std::size_t begin = std::min(tokens[i].span.begin, bytes.size());
    const std::size_t end = std::min(tokens[i].span.end, bytes.size());
    if (begin < end)
      kept[i] = std::find(bytes.begin() + std::ptrdiff_t(begin),
                          bytes.begin() + std::ptrdiff_t(end),
                          false) == bytes.begin() + std::ptrdiff_t(end);
    else if (i + 1 < tokens.size())
      kept[i] = kept[i + 1];
  }
  for (std::size_t i = 0; i < tokens.size() && isAddedSpecial(tokens[i]); ++i)
    kept[i] = marks.keepsStart;
  return withWholeImages(
      {.keptPrompt = rangesOf(kept), .keepsGenerated = marks.keepsGenerated},
      std::ssize(tokens), images);
}

AbsorbedSet carriedOver(const AbsorbedSet& set, const std::vector<Token>& from,
                        const std::vector<Token>& to) {
  const auto kept = carriedFlags(
      set.keptFlags(std::ssize(from)),
      commonParts(from, to, [](const Token& a, const Token& b) { return a.id == b.id; }),
      to.size(), set.keepsGenerated, set.keepsGenerated);
  if (!kept) return {};
  return {.keptPrompt = rangesOf(*kept), .keepsGenerated = set.keepsGenerated};
}

TextMarks carriedOver(const TextMarks& marks, const std::string& text) {
  const auto kept =
      carriedFlags(flagsOf(marks), commonParts(marks.text, text, std::equal_to<char>()),
                   text.size(), marks.keepsStart, marks.keepsGenerated);
  if (!kept) return {.text = text, .kept = {}};
  TextMarks carried{.text = text,
                    .kept = {},
                    .keepsStart = marks.keepsStart,
                    .keepsGenerated = marks.keepsGenerated};
  for (const PositionRange& range : rangesOf(*kept))
    carried.kept.push_back({std::size_t(range.first), std::size_t(range.last) + 1});
  return carried;
}

AbsorbedSet withWholeImages(AbsorbedSet set, std::int64_t promptLength,
                            const std::vector<PositionRange>& images) {
  if (images.empty()) return set;
  Flags kept = set.keptFlags(promptLength);
  for (const PositionRange& image : images) {
    const auto first = kept.begin() + image.first;
    const auto end = kept.begin() + image.last + 1;
    if (std::find(first, end, false) != end) std::fill(first, end, false);
  }
  set.keptPrompt = rangesOf(kept);
  return set;
}

}  // namespace equipatch
