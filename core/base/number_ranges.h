// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// Includes both ends.
struct NumberRange {
  std::int64_t first = 0, last = 0;
};

constexpr std::int64_t kLargestRangeNumber = 99'999;

/// Parses a text such as "0-5,10" and keeps its order. Returns nullopt for any other
/// text, a range that ends before it begins, or a number above kLargestRangeNumber.
std::optional<std::vector<NumberRange>> parseNumberRanges(std::string_view text);

/// The first range in such a text that ends before it begins; nullopt if there is none.
std::optional<NumberRange> backwardRange(std::string_view text);

/// The end of an error's sentence: "7-3 run backwards; write 3-7".
/// @param written the user's text for the range
std::string backwardsText(std::string_view written, NumberRange range);

/// For display: "0–3,7". @param numbers ascending
std::string numberRangesText(const std::vector<std::int64_t>& numbers);

}  // namespace equipatch
