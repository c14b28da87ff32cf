// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// Numbers from `first` to `last`, both included.
struct NumberRange {
  std::int64_t first = 0, last = 0;
};

/// The largest number that parseNumberRanges takes.
constexpr std::int64_t kLargestRangeNumber = 99'999;

/// Parses numbers and ranges as people write them, "0-5,10", and keeps their order.
/// Nothing for any other text, a range that ends before it begins, or a number that is
/// too large.
std::optional<std::vector<NumberRange>> parseNumberRanges(std::string_view text);

/// The first range of such a list that ends before it begins.
std::optional<NumberRange> backwardRange(std::string_view text);

/// "7-3 run backwards; write 3-7", the end of an error's sentence.
/// @param written the range as the user wrote it
std::string backwardsText(std::string_view written, NumberRange range);

/// Ascending numbers for people: "0–3,7".
std::string numberRangesText(const std::vector<std::int64_t>& numbers);

}  // namespace equipatch
