// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace equipatch::test {

/// max |a − b| of two lists of numbers; infinite for lists of different length, or empty.
template <typename Numbers>
double largestDifference(const Numbers& a, const Numbers& b) {
  if (a.size() != b.size() || a.empty()) return HUGE_VAL;
  double largest = 0.0;
  for (decltype(a.size()) i = 0; i < a.size(); ++i)
    largest = std::max(largest,
                       std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}

}  // namespace equipatch::test
