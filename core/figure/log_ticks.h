// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/figure/figure_map.h"

namespace equipatch {

/// The labelled ticks of a logarithmic axis.
struct LogTicks {
  std::vector<double> values;  ///< ascending
  /// Decades between neighbours if all values are powers of ten, otherwise 0.
  int decades = 0;
  int digits = 1;  ///< the largest number of significant digits of a value
};

/// Returns the first of these sets of ticks that has at least two ticks and room for all
/// their labels:
/// - on at most one decade: all leading digits, or 1, 2, 3, 5 and 7;
/// - on at most 3.5 decades: the leading digits 1, 2 and 5, or 1 and 3;
/// - powers of ten at equal distances;
/// - 1, 2 and 5 (on at most one decade all digits), without the ticks that lack room;
/// - multiples of a smaller step, with more digits, without those that lack room.
/// If no two labels have room, returns one tick or none. No ticks for a range that is
/// empty, not positive or not finite.
/// @param labels how many labels, with the gaps between them, fit along the axis
LogTicks logTicks(const FigureRange& range, double labels);

}  // namespace equipatch
