// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"

namespace equipatch {

/// The estimated width of a letter and height of a line in \scriptsize, in points, for
/// a document of 10 pt.
inline constexpr double kTexScriptLetter = 3.9, kTexScriptLine = 8.5;
/// The same for \small.
inline constexpr double kTexSmallLetter = 4.6, kTexSmallLine = 11.0;

/// The size of a panel's axes, points.
struct TexAxes {
  double width = 0.0;
  double height = 0.0;
};

/// pgfplots options, each with a comma before it: names along x and numbers on
/// logarithmic axes, as many as have room, thick ticks at FigureAxis::marked, and the
/// modes of logarithmic axes.
std::string texTicks(const FigurePanel& panel, const TexAxes& axes);

/// pgfplots options, each with a comma before it, for the ticks of a map's colour scale.
/// If colourTicks() returns none, pgfplots chooses the ticks.
std::string texColourTicks(const FigureMap& map);

}  // namespace equipatch
