#pragma once

#include <vector>

#include "core/figure/figure.h"

namespace equipatch {

/// The values without NaN, ascending.
std::vector<double> sortedNumbers(std::vector<double> values);

/// Their distribution: quartiles, whiskers at 5 and 95 %, and every value outside the
/// whiskers as an outlier. NaN is left out; all is NaN where no value is left.
FigureBox boxOf(std::vector<double> values);

}  // namespace equipatch
