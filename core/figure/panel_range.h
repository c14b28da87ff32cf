// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/figure/figure.h"

namespace equipatch {

// The part of each axis that a panel shows: the axis's `limits`; without limits, a map up
// to the edges of its outermost cells, otherwise all values with a margin.

/// The range along x.
FigureRange keyRange(const FigurePanel& panel);
/// The range along y; for boxes and bars, all rows by number, increasing downwards. For
/// curves on a logarithmic axis without limits, the range is positive, spans at least a
/// factor of four and, if there are exact zeros, has room for them at its lower end.
FigureRange valueRange(const FigurePanel& panel);
/// The range along the right axis; 0 to 1 if the panel has no such axis.
FigureRange rightRange(const FigurePanel& panel);

/// The name of exact zeros in legends and tooltips.
inline constexpr const char* kZeroName = "exactly 0";

/// True if the panel is a map to be drawn square, because both axes have the same range,
/// as in a map of positions by positions.
bool isSquareMap(const FigurePanel& panel);

/// True if the panel draws exact zeros at the lower end of a logarithmic axis: the x axis
/// if the panel has boxes, otherwise the y axis. A band's lower edge counts too.
bool hasZeros(const FigurePanel& panel);
/// True if the curve's axis is logarithmic and the curve has exact zeros, which are drawn
/// as open marks.
bool hasZeros(const FigurePanel& panel, const FigureCurve& curve);
/// True if the legend explains the open marks of exact zeros.
bool explainsZeros(const FigurePanel& panel);
/// The smallest value above 0 that the panel draws along the axis of `hasZeros`; infinite
/// if there is no such value. The axis must be logarithmic.
double leastAboveZero(const FigurePanel& panel);
/// The smallest and the largest of the box's values that an axis of this scale can show;
/// empty if it can show none.
std::optional<FigureRange> drawnValues(const FigureBox& box, FigureScale scale);
/// The place of exact zeros on a logarithmic axis that shows this range: a little above
/// the lower end, or at the lower end itself if `least` would not be above the zeros.
/// @param least the panel's `leastAboveZero`
double zeroPlace(const FigureRange& range, double least);
/// The smallest value whose tick label does not overlap the label of 0.
/// @param labels how many labels fit along the axis
double firstPlaceAboveZero(const FigureRange& range, double labels);

/// True if there is anything to draw.
bool hasValues(const FigurePanel& panel);

}  // namespace equipatch
