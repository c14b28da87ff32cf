// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace equipatch {

/// Numbers from `first` to `last`, both included.
struct NumberRange {
  std::int64_t first = 0, last = 0;
};

/// A list of numbers and ranges as people write them, "0-5,10", in its order. Nothing for
/// any other text, a range that ends before it begins, or a number above 99,999.
std::optional<std::vector<NumberRange>> parseNumberRanges(std::string_view text);

}  // namespace equipatch
