// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/figure/figure.h"

namespace equipatch {

// The part of each axis that a panel shows: the same on the screen, on paper and in
// pgfplots. An axis with `limits` shows its limits. Without limits, a map is shown up to
// the edges of its outermost cells.

/// The range along x, with a margin; on an axis of counts or names the margin is half a
/// count.
FigureRange keyRange(const FigurePanel& panel);
/// The range along y, with a margin. On a logarithmic axis it has positive values only,
/// spans at least a factor of four, and leaves room for exact zeros below. For boxes and
/// bars it is in row numbers, which increase downwards.
FigureRange valueRange(const FigurePanel& panel);
/// The range along the right axis; 0 to 1 if the panel has no such axis.
FigureRange rightRange(const FigurePanel& panel);

/// The name of exact zeros in legends and tooltips.
inline constexpr const char* kZeroName = "exactly 0";

/// True if both axes of a map have the same range, as in a map of positions by positions:
/// it is drawn square. False for a map over a picture or of a single row.
bool isSquareMap(const FigurePanel& panel);

/// True if the panel draws exact zeros at the lower end of a logarithmic axis: of x if
/// it has boxes, otherwise of y. The lower edge of a band may be such a zero.
bool hasZeros(const FigurePanel& panel);
/// True if the curve's axis is logarithmic and the curve has exact zeros. Such points
/// have open marks.
bool hasZeros(const FigurePanel& panel, const FigureCurve& curve);
/// True if the legend explains the open marks of exact zeros. Panels of boxes have no
/// such explanation.
bool explainsZeros(const FigurePanel& panel);
/// The smallest value above 0 that the panel draws along the axis of `hasZeros`; infinite
/// if there is no such value. The axis must be logarithmic.
double leastAboveZero(const FigurePanel& panel);
/// The range of a box's values on an axis of this scale, without infinite values and, on
/// a logarithmic axis, without exact zeros. Empty if no value remains.
std::optional<FigureRange> drawnValues(const FigureBox& box, FigureScale scale);
/// The place of exact zeros on a logarithmic axis that shows this range: a little above
/// the lower end, or at the lower end itself if another value would be below that place.
/// @param least the panel's `leastAboveZero`
double zeroPlace(const FigureRange& range, double least);
/// The smallest value whose tick label does not overlap the label of 0.
/// @param labels how many labels fit along the axis
double firstPlaceAboveZero(const FigureRange& range, double labels);

/// True if there is anything to draw.
bool hasValues(const FigurePanel& panel);

}  // namespace equipatch
