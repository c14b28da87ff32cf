#pragma once

#include <vector>

namespace equipatch {

/// The value below which `fraction` of the values lie, interpolated linearly between its
/// two neighbours (the median for 0.5); 0 of no values. NaN counts as larger than all.
/// @param fraction in [0, 1]
double quantile(std::vector<double> values, double fraction);

}  // namespace equipatch
