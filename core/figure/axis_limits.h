// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/figure/figure.h"

namespace equipatch {

/// The range that the user chose for some axes of a figure.
struct AxisLimits {
  /// "x", "y", "right", or the beginning of the axes' labels: "step", "linf" for "L∞",
  /// "patch" for "‖patch‖".
  std::string axis;
  FigureRange range;

  bool operator==(const AxisLimits&) const = default;
};

/// Reads "y=1e-6:10, step=0:30". A blank text gives no limits.
/// @throws Error{BadInput} for text of any other form
std::vector<AxisLimits> parseAxisLimits(std::string_view text);

/// Sets the ranges of the named axes. Limits do not apply to the axes of maps and images,
/// nor to the axis along which rows are listed. The caption, if there is one, is updated:
/// it names the curves that the limits hide, and loses its sentence on different ranges
/// if the limits make the ranges equal.
/// @throws Error{BadInput} when the figure has no such axis, the limits are outside the
/// bounds of a logarithmic axis, a box or bar would not fit, or no curve of a panel has a
/// point or line within the limits; some axes may already have changed
void setLimits(Figure& figure, const std::vector<AxisLimits>& limits);

}  // namespace equipatch
