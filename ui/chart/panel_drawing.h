// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/figure.h"
#include "ui/qcp.h"

namespace equipatch {

// Drawing of panels that the screen (ChartView) and paper (PanelPlot) share, beside
// axes.h, series_style.h and map_colours.h.

/// Adds the points that a graph lacks of a curve or of marks, in its axes' scales.
void addPoints(const std::vector<double>& x, const std::vector<double>& y,
               QCPGraph& graph);

/// The values along y that a panel must show, with a margin; on a logarithmic axis
/// positive ones only, over at least a factor of four.
QCPRange valueRange(const FigurePanel& panel);
/// The keys along x; half a place beside the first and the last where they are counted,
/// a margin elsewhere.
QCPRange keyRange(const FigurePanel& panel);

}  // namespace equipatch
