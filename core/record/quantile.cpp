#include "core/record/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace equipatch {
namespace {

/// std::less has no order for NaN.
bool isLess(double a, double b) {
  return !std::isnan(a) && (std::isnan(b) || a < b);
}

}  // namespace

double quantile(std::vector<double> values, double fraction) {
  if (values.empty()) return 0.0;
  const double place = fraction * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double share = place - static_cast<double>(below);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), at, values.end(), isLess);
  if (share == 0.0) return *at;
  const double above = *std::min_element(at + 1, values.end(), isLess);
  return (1.0 - share) * *at + share * above;
}

}  // namespace equipatch
