#include "core/figure/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace equipatch {

double quantile(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = place - static_cast<double>(below);
  // Not lower + share · (upper − lower): that is NaN where both are infinite.
  if (share == 0.0 || sorted[below] == sorted[above]) return sorted[below];
  return (1 - share) * sorted[below] + share * sorted[above];
}

std::vector<double> sortedNumbers(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  std::ranges::sort(values);
  return values;
}

}  // namespace equipatch
