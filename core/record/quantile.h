#pragma once

#include <vector>

namespace equipatch {

/// The values in order; NaN counts as larger than all.
std::vector<double> ascending(std::vector<double> values);

/// The value below which a share `fraction` of the values lies, between neighbours in
/// proportion (Hyndman and Fan's type 7, as numpy has it). NaN for no values.
/// @param sorted as `ascending` gives them
double sortedQuantile(const std::vector<double>& sorted, double fraction);

/// The same of values in any order (the median for 0.5); 0 of no values.
/// @param fraction in [0, 1]
double quantile(std::vector<double> values, double fraction);

}  // namespace equipatch
