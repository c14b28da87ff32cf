// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/figure/figure.h"

namespace equipatch {

/// The values without NaN, ascending.
std::vector<double> sortedNumbers(std::vector<double> values);

/// The distribution of the values: quartiles, whiskers at 5 and 95 %, and every value
/// outside the whiskers as an outlier. NaN is neither drawn nor counted; if no other
/// value remains, all quantiles are NaN.
FigureBox boxOf(std::vector<double> values);

/// "93.1 %", "100 %". A share of less than all steps is never rounded to 100 % but gets
/// more digits: "99.975 %".
/// @param share of more than 0 steps
std::string shareText(const FigureShare& share);
/// "93.1 % equal", "93.1 % equal, bare"; empty for a share of 0 steps.
std::string equalText(const FigureShare& share);

}  // namespace equipatch
