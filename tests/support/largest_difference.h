// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace equipatch::test {

/// max |a − b| of two lists of numbers. Infinite where a difference is not a number, and
/// for empty lists or lists of different length.
template <typename Numbers>
double largestDifference(const Numbers& a, const Numbers& b) {
  if (a.size() != b.size() || a.empty()) return HUGE_VAL;
  double largest = 0.0;
  for (decltype(a.size()) i = 0; i < a.size(); ++i) {
    const double difference =
        std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (std::isnan(difference)) return HUGE_VAL;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace equipatch::test
