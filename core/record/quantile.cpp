// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace equipatch {
namespace {

/// Orders NaN after all numbers; `<` alone is no strict weak order if a value is NaN.
bool isLess(double a, double b) {
  return !std::isnan(a) && (std::isnan(b) || a < b);
}

}  // namespace

std::size_t placeOfLargest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::ranges::max_element(values, isLess) -
                                  values.begin());
}

std::vector<double> ascending(std::vector<double> values) {
  std::sort(values.begin(), values.end(), isLess);
  return values;
}

double sortedQuantile(const std::vector<double>& sorted, double fraction) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = place - static_cast<double>(below);
  // If `share` is 0, interpolation would give NaN next to an infinite upper neighbour.
  // Between equal neighbours it may round.
  if (share == 0.0 || sorted[below] == sorted[above]) return sorted[below];
  return (1.0 - share) * sorted[below] + share * sorted[above];
}

double quantile(std::vector<double> values, double fraction) {
  return values.empty() ? 0.0 : sortedQuantile(ascending(std::move(values)), fraction);
}

}  // namespace equipatch
