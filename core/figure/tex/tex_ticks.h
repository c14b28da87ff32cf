// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"

namespace equipatch {

/// The usual width of a letter of \scriptsize and the height of its lines, points, for a
/// document of 10 pt.
inline constexpr double kTexScriptLetter = 3.9, kTexScriptLine = 8.5;
/// The usual width of a letter of \small and the height of its lines, likewise.
inline constexpr double kTexSmallLetter = 4.6, kTexSmallLine = 11.0;

/// The size of a panel's axes, points.
struct TexAxes {
  double width = 0.0;
  double height = 0.0;
};

/// pgfplots options for the ticks of a panel's axes, each after a comma: along x the
/// names, as many as have room; thick ticks at the numbers in FigureAxis::marked; and on
/// logarithmic axes ticks with numbers, as many as have room.
std::string texTicks(const FigurePanel& panel, const TexAxes& axes);

/// pgfplots options for the ticks of a map's colour scale, which are labelled with the
/// map's values. If colourTicks() returns none, pgfplots chooses the ticks.
std::string texColourTicks(const FigureMap& map);

}  // namespace equipatch
