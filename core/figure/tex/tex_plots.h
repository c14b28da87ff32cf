// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/figure.h"
#include "core/figure/tex/tex_ticks.h"

namespace equipatch {

// The content of a panel's axes as pgfplots code.

/// At most six significant digits; "nan", "inf", "-inf".
std::string texNumber(double value);
/// The ends of an axis as options: ", xmin=0, xmax=5".
std::string texLimits(char axis, const FigureRange& range);

/// Map, boxes, bars, curves of the left axis and marks, in the order of the legend's
/// entries. Curves of the right axis have only their legend entries here.
std::string texPlots(const FigurePanel& panel);
/// The values of a map's cells. Empty if the map is not over a picture, or if a value
/// does not fit into its cell.
std::string texCellValues(const FigurePanel& panel, const TexAxes& axes);
std::string texRightPlots(const FigurePanel& panel);

/// The place of exact zeros on a panel's logarithmic axis; 0 if the panel draws none.
double texZero(const FigurePanel& panel);
/// True if a map's values are plotted as exponents of ten.
bool hasTexPowers(const FigureMap& map);
/// The ends of a map's colour scale, as results of colourPlace.
FigureRange texColours(const FigureMap& map);

}  // namespace equipatch
