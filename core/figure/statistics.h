// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/figure/figure.h"

namespace equipatch {

/// The values without NaN, ascending.
std::vector<double> sortedNumbers(std::vector<double> values);

/// Quartiles, whiskers at 5 and 95 %, and the values outside the whiskers as outliers.
/// Ignores NaN; without any other value, all quantiles are NaN.
FigureBox boxOf(std::vector<double> values);

/// "93.1 %". Only a share of all steps is "100 %"; a share just below gets more digits:
/// "99.975 %".
/// @param share of at least one step
std::string shareText(const FigureShare& share);
/// "93.1 % equal", "93.1 % equal, bare"; empty for a share of 0 steps.
std::string equalText(const FigureShare& share);

}  // namespace equipatch
