// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace equipatch {

/// The larger number, as numpy.maximum: NaN if either is NaN.
inline double maximum(double a, double b) {
  return std::isnan(a) || a >= b ? a : b;
}

/// The index of the first NaN, or of the largest value if none is NaN.
/// @param values at least one
std::size_t placeOfLargest(const std::vector<double>& values);

/// The values in ascending order, NaN last.
std::vector<double> ascending(std::vector<double> values);

/// The quantile by linear interpolation (Hyndman and Fan's type 7, numpy's default); NaN
/// if there are no values.
/// @param sorted values in the order of `ascending`
/// @param fraction in [0, 1]
double sortedQuantile(const std::vector<double>& sorted, double fraction);

/// `sortedQuantile` of unsorted values, but 0 if there are no values.
/// @param fraction in [0, 1]
double quantile(std::vector<double> values, double fraction);

}  // namespace equipatch
