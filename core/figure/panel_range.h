// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/figure/figure.h"

namespace equipatch {

// The part of each axis that a panel shows: the same on the screen, on paper and in
// pgfplots. An axis with `limits` shows these, a map otherwise the edges of its cells.

/// The range along x, with a margin; on an axis of counts or names the margin is half a
/// count.
FigureRange keyRange(const FigurePanel& panel);
/// The range along y, with a margin. On a logarithmic axis it has positive values only,
/// spans at least a factor of four, and leaves room for exact zeros below. Rows count
/// downwards.
FigureRange valueRange(const FigurePanel& panel);
/// The range along the right axis; 0 to 1 without one.
FigureRange rightRange(const FigurePanel& panel);

/// The name of exact zeros in legends and tooltips.
inline constexpr const char* kZeroName = "exactly 0";

/// True if both axes of a map have the same range, as in a map of positions by positions:
/// it is drawn square. False for a map over a picture or of a single row.
bool isSquareMap(const FigurePanel& panel);

/// True if exact zeros are drawn at the lower end of the panel's logarithmic axis: y, or
/// x of boxes. A band that begins at 0 counts, too.
bool hasZeros(const FigurePanel& panel);
/// True if a curve has exact zeros on a logarithmic axis, where they have open marks.
bool hasZeros(const FigurePanel& panel, const FigureCurve& curve);
/// True if the legend explains the open marks of exact zeros; it does not for boxes.
bool explainsZeros(const FigurePanel& panel);
/// The smallest value above 0 that the panel draws along the axis of `hasZeros`, which
/// must be logarithmic; infinite if there is none.
double leastAboveZero(const FigurePanel& panel);
/// The range of the values of a box that an axis of this scale draws; it leaves out
/// infinite ones and, if it is logarithmic, exact zeros. Empty if it draws none.
std::optional<FigureRange> drawnValues(const FigureBox& box, FigureScale scale);
/// The place of exact zeros on a logarithmic axis that shows this range: a little above
/// the lower end, or at the lower end itself if another value would be below that place.
/// @param least the panel's `leastAboveZero`
double zeroPlace(const FigureRange& range, double least);
/// The smallest value whose tick label does not overlap the label of 0.
/// @param labels how many fit on the axis, one after the other
double firstPlaceAboveZero(const FigureRange& range, double labels);

/// True if there is anything to draw.
bool hasValues(const FigurePanel& panel);

}  // namespace equipatch
