// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/figure_map.h"

namespace equipatch {

/// The labelled ticks of a logarithmic axis, ascending.
struct LogTicks {
  std::vector<double> values;  ///< in the range
  /// Decades between neighbours if all values are powers of ten; 0: other digits, too.
  int decades = 0;
  int digits = 1;  ///< significant ones of a value, at most
};

/// The first of these that has two ticks or more, all with room for their labels: all
/// digits, or 1, 2, 3, 5 and 7 (on at most one decade); 1, 2 and 5, or 1 and 3 (on at
/// most 3.5 decades); powers of ten at equal distances; some of the digits; values of
/// more digits. If no two labels have room, one tick or none. Empty for a range that is
/// empty, not positive or not finite.
/// @param labels how many fit on the axis, one after the other, with their distances
LogTicks logTicks(const FigureRange& range, double labels);

}  // namespace equipatch
