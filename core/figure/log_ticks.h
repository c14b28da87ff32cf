// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/figure_map.h"

namespace equipatch {

/// The labelled ticks of a logarithmic axis, ascending.
struct LogTicks {
  std::vector<double> values;  ///< in the range
  /// Decades between neighbours if all values are powers of ten, otherwise 0.
  int decades = 0;
  int digits = 1;  ///< the largest number of significant digits of a value
};

/// Tries these sets of ticks in this order. Returns the first that has at least two ticks
/// and room for all their labels:
/// - all digits, or 1, 2, 3, 5 and 7, if the axis has at most one decade;
/// - 1, 2 and 5, or 1 and 3, if the axis has at most 3.5 decades;
/// - powers of ten at equal distances;
/// - 1, 2 and 5, or on at most one decade all digits, without the ticks that lack room;
/// - ticks at equal steps, with more digits.
/// If no two labels have room, returns one tick or none. Empty for a range that is empty,
/// not positive or not finite.
/// @param labels how many labels, with the gaps between them, fit along the axis
LogTicks logTicks(const FigureRange& range, double labels);

}  // namespace equipatch
