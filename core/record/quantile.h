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

/// The index of the first NaN, or of the largest value if none is NaN. Requires a value.
std::size_t placeOfLargest(const std::vector<double>& values);

/// The values in ascending order; NaN counts as larger than all numbers.
std::vector<double> ascending(std::vector<double> values);

/// The quantile by linear interpolation (Hyndman and Fan's type 7, numpy's default). NaN
/// for no values.
/// @param sorted values in the order of `ascending`
/// @param fraction in [0, 1]
double sortedQuantile(const std::vector<double>& sorted, double fraction);

/// The same quantile of unsorted values (the median for 0.5). 0 for no values: files of
/// all versions have 0 in the summaries of runs without steps.
/// @param fraction in [0, 1]
double quantile(std::vector<double> values, double fraction);

}  // namespace equipatch
