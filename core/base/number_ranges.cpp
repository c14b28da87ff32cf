// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_ranges.h"

#include <algorithm>
#include <charconv>

namespace equipatch {
namespace {

/// Removes the number at the beginning of `text` and returns it.
std::optional<std::int64_t> takeNumber(std::string_view& text) {
  if (text.starts_with('-')) return std::nullopt;
  std::int64_t number = 0;
  const char* const begin = text.data();
  const auto [end, error] = std::from_chars(begin, begin + text.size(), number);
  if (error != std::errc() || number > kLargestRangeNumber) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - begin));
  return number;
}

bool takeSeparator(std::string_view& text, char separator) {
  const bool isNext = text.starts_with(separator);
  if (isNext) text.remove_prefix(1);
  return isNext;
}

bool isBackward(const NumberRange& range) {
  return range.last < range.first;
}

/// As parseNumberRanges, but ranges may end before they begin.
std::optional<std::vector<NumberRange>> parseAnyRanges(std::string_view text) {
  std::vector<NumberRange> ranges;
  do {
    const auto first = takeNumber(text);
    const auto last = takeSeparator(text, '-') ? takeNumber(text) : first;
    if (!first || !last) return std::nullopt;
    ranges.push_back({*first, *last});
  } while (takeSeparator(text, ','));
  if (!text.empty()) return std::nullopt;
  return ranges;
}

}  // namespace

std::optional<std::vector<NumberRange>> parseNumberRanges(std::string_view text) {
  auto ranges = parseAnyRanges(text);
  if (ranges && std::ranges::any_of(*ranges, isBackward)) return std::nullopt;
  return ranges;
}

std::optional<NumberRange> backwardRange(std::string_view text) {
  const auto ranges = parseAnyRanges(text);
  if (!ranges) return std::nullopt;
  const auto found = std::ranges::find_if(*ranges, isBackward);
  return found == ranges->end() ? std::nullopt : std::optional(*found);
}

std::string backwardsText(std::string_view written, NumberRange range) {
  return std::string(written) + " run backwards; write " + std::to_string(range.last) +
         "-" + std::to_string(range.first);
}

std::string numberRangesText(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < numbers.size(); first = ++last) {
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (first == 0 ? "" : ",") + std::to_string(numbers[first]);
    if (last > first) text += "–" + std::to_string(numbers[last]);
  }
  return text;
}

}  // namespace equipatch
