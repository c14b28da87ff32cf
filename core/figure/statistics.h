#pragma once

#include <vector>

namespace equipatch {

/// The value below which a share `p` of the values lies, between neighbours in
/// proportion (Hyndman and Fan's type 7, as numpy has it). NaN for no values.
/// @param sorted ascending, without NaN
double quantile(const std::vector<double>& sorted, double p);

/// The values without those that are no numbers, ascending.
std::vector<double> sortedNumbers(std::vector<double> values);

}  // namespace equipatch
