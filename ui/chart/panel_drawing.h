// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/figure.h"
#include "ui/qcp.h"

namespace equipatch {

// Drawing of panels that the screen (ChartView) and paper (PanelPlot) share, beside
// axes.h, panel_rows.h, series_style.h and map_colours.h.

/// Sets labels, scales, tickers and direction of the axes.
void setUpAxes(const FigurePanel& panel, QCPAxisRect& rect);

/// Shows the ranges of core/figure/panel_range.h.
void setRanges(const FigurePanel& panel, QCPAxisRect& rect);

/// Adds the points that a graph lacks of a curve or of marks, in its axes' scales. Exact
/// zeros of a logarithmic axis lie at zeroOn().
void addPoints(const std::vector<double>& x, const std::vector<double>& y,
               QCPGraph& graph);

/// Adds the exact zeros of a curve, for marks of their own, at zeroOn().
void addZeros(const FigureCurve& curve, QCPGraph& graph);

/// Where a logarithmic axis, as it is now, has exact zeros.
double zeroOn(const QCPAxis& axis);

}  // namespace equipatch
