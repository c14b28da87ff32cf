// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/absorbed_words.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/strings.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

/// The positions that a name describes: the kept or the absorbed ones.
struct NamedPart {
  bool isKept = false;
  std::vector<PositionRange> ranges;
};

NamedPart namedPart(const RunRequest& request) {
  const AbsorbedSet& absorbed = request.absorbed;
  if (!absorbed.keepsGenerated) return {true, absorbed.keptPrompt};
  std::vector<bool> flags = absorbed.keptFlags(std::ssize(request.prompt));
  flags.flip();
  return {false, rangesOf(flags)};
}

/// A name without words or positions, such as "absorbs all" or "keeps BOS"; empty if the
/// absorbed part has none.
std::string presetWords(const RunRequest& request) {
  const AbsorbedSet& absorbed = request.absorbed;
  const std::int64_t length = std::ssize(request.prompt);
  const bool keepsPrompt =
      absorbed.keptPrompt == std::vector<PositionRange>{{0, length - 1}};
  if (absorbed.whole()) return "absorbs all";
  if (absorbed.keptPrompt.empty()) return "absorbs the prompt";
  if (keepsPrompt && absorbed.keepsGenerated) return "absorbs nothing";
  // A kept prompt of one token is named as the token instead: "keeps BOS".
  if (keepsPrompt && length > 1) return "absorbs the generated tokens";
  const AbsorbedSet keepFirst{.keptPrompt = {{0, 0}}, .keepsGenerated = false};
  if (absorbed == keepFirst && !request.prompt.empty() && request.prompt.front().special)
    return "keeps BOS";
  return {};
}

/// Leaves out the middle, because parts of a prompt may differ only at the beginning or
/// only at the end.
std::string shortenedInside(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::string head(cutUtf8(text, most / 2));
  std::size_t begin = text.size() - (most / 2 - 2);
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
    ++begin;
  std::string tail = text.substr(begin);
  if (const std::size_t space = head.rfind(' '); space != std::string::npos && space > 3)
    head.resize(space);
  if (const std::size_t space = tail.find(' '); space != std::string::npos && space < 8)
    tail.erase(0, space + 1);
  return head + " … " + tail;
}

/// The text of the token at position `at`. If the token ends within a character, the next
/// tokens, up to `last`, are added until the character is complete or invalid.
/// @param at becomes the position of the last token added
std::string textAt(const RunRequest& request, std::int64_t& at, std::int64_t last) {
  const auto tokenAt = [&](std::int64_t position) -> const Token& {
    return request.prompt[static_cast<std::size_t>(position)];
  };
  constexpr std::size_t kLongestCharacter = 4;  // bytes
  const std::string_view text = request.promptText;
  ByteSpan span = tokenAt(at).span;
  if (span.empty() || span.begin > span.end || span.end > text.size())
    return visibleText(tokenAt(at), text);
  std::size_t whole = span.begin;  // the characters before this byte are complete
  for (; at < std::min(last, std::ssize(request.prompt) - 1); ++at) {
    const std::size_t invalid = firstInvalidUtf8(text.substr(whole, span.end - whole));
    if (invalid == std::string_view::npos) break;
    whole += invalid;
    if (span.end - whole >= kLongestCharacter) break;
    const ByteSpan& next = tokenAt(at + 1).span;
    if (next.begin != span.end || next.end < next.begin || next.end > text.size()) break;
    span.end = next.end;
  }
  return visibleText(text.substr(span.begin, span.end - span.begin));
}

std::string withPlainSpaces(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t sign = std::min(text.find(kVisibleSpace, at), text.size());
    plain += text.substr(at, sign - at);
    if (sign < text.size()) plain += ' ';
    at = sign + kVisibleSpace.size();
  }
  return plain;
}

/// The text of the tokens at these positions, with the file's name for an image's tokens.
std::string wordsOf(const RunRequest& request, const std::vector<PositionRange>& ranges) {
  std::string words;
  for (const PositionRange& range : ranges) {
    std::string part;
    for (std::int64_t at = range.first; at <= range.last; ++at) {
      if (at < 0 || at >= std::ssize(request.prompt)) continue;
      const auto image = std::ranges::lower_bound(
          request.images, at, {},
          [](const PromptImage& each) { return each.tokens.first; });
      if (image == request.images.end() || image->tokens.first != at) {
        part += textAt(request, at, range.last);
        continue;
      }
      part += '[' + replaceInvalidUtf8(image->picture->name) + ']';
      at = image->tokens.last;
    }
    part = withPlainSpaces(part);
    words += (words.empty() ? "" : " … ") +
             part.substr(std::min(part.find_first_not_of(' '), part.size()));
  }
  return words;
}

/// The bytes of the range's tokens in the prompt's text, without leading spaces.
ByteSpan bytesOfRange(const RunRequest& request, const PositionRange& range) {
  if (range.first < 0 || range.last >= std::ssize(request.prompt)) return {};
  const auto spanAt = [&](std::int64_t at) {
    return request.prompt[static_cast<std::size_t>(at)].span;
  };
  const std::size_t end = spanAt(range.last).end;
  if (end > request.promptText.size()) return {};
  const std::string_view text = std::string_view(request.promptText).substr(0, end);
  const std::size_t begin = text.find_first_not_of(' ', spanAt(range.first).begin);
  if (begin == std::string_view::npos) return {};
  return {begin, end};
}

/// For each prefix of `words`, the length of its longest border: a proper prefix that is
/// also a suffix.
std::vector<std::uint32_t> longestBorders(std::string_view words) {
  std::vector<std::uint32_t> borders(words.size(), 0);
  std::uint32_t length = 0;
  for (std::size_t at = 1; at < words.size(); ++at) {
    while (length > 0 && words[at] != words[length]) length = borders[length - 1];
    if (words[at] == words[length]) ++length;
    borders[at] = length;
  }
  return borders;
}

/// How often the bytes of `span` also occur earlier in the text (Knuth, Morris and Pratt:
/// in time proportional to `span.end`).
std::int64_t earlierUses(std::string_view text, const ByteSpan& span) {
  if (span.empty()) return 0;
  const std::string_view words = text.substr(span.begin, span.end - span.begin);
  const std::vector<std::uint32_t> borders = longestBorders(words);
  std::int64_t uses = 0;
  std::size_t length = 0;  // of the prefix of `words` with which the text so far ends
  for (const char byte : text.substr(0, span.end - 1)) {
    while (length > 0 && (length == words.size() || byte != words[length]))
      length = borders[length - 1];
    if (byte == words[length]) ++length;
    if (length == words.size()) ++uses;
  }
  return uses;
}

/// False if searching the text for earlier occurrences of all ranges may take more than
/// about a second.
bool canSearch(const RunRequest& request, const std::vector<PositionRange>& ranges) {
  constexpr std::size_t kMostSearched = std::size_t{1} << 27;  // bytes
  std::size_t searched = 0;
  for (const PositionRange& range : ranges)
    if (range.first >= 0 && range.last < std::ssize(request.prompt))
      searched += request.prompt[static_cast<std::size_t>(range.last)].span.end;
  return searched <= kMostSearched;
}

}  // namespace

std::string absorbedPositions(const RunRequest& request) {
  const std::string preset = presetWords(request);
  if (!preset.empty()) return preset;
  const NamedPart part = namedPart(request);
  std::string positions;
  for (const PositionRange& range : part.ranges) {
    positions += (positions.empty() ? "" : ",") + std::to_string(range.first);
    if (range.last > range.first) positions += "–" + std::to_string(range.last);
  }
  const bool isOne =
      part.ranges.size() == 1 && part.ranges[0].first == part.ranges[0].last;
  return (part.isKept ? "keeps token" : "absorbs token") +
         std::string(isOne ? " " : "s ") + positions;
}

std::string absorbedWords(const RunRequest& request, std::size_t most) {
  const std::string preset = presetWords(request);
  if (!preset.empty() || request.promptText.empty()) return absorbedPositions(request);
  const NamedPart part = namedPart(request);
  const std::string words = shortenedInside(wordsOf(request, part.ranges), most);
  if (words.empty()) return absorbedPositions(request);
  return (part.isKept ? "keeps “" : "absorbs “") + words + "”";
}

std::string absorbedKey(const RunRequest& request) {
  if (!presetWords(request).empty() || request.promptText.empty())
    return absorbedPositions(request);
  const NamedPart part = namedPart(request);
  if (!canSearch(request, part.ranges)) return absorbedPositions(request);
  std::string key = part.isKept ? "keeps" : "absorbs";
  for (const PositionRange& range : part.ranges)
    key += '\n' + wordsOf(request, {range}) + '\n' +
           std::to_string(earlierUses(request.promptText, bytesOfRange(request, range)));
  return key;
}

}  // namespace equipatch
