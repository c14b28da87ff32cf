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

/// As many digits as have room: every digit, or 2, 3, 5 and 7 between powers of ten
/// within one decade, or 2 and 5 on an axis of few decades, or 3, or powers of ten, or
/// only some of these; where at most one of these is in the range, values of more digits.
/// Empty for a range that is empty, not positive or not finite.
/// @param labels how many fit on the axis, one after the other, with their distances
LogTicks logTicks(const FigureRange& range, double labels);

}  // namespace equipatch
