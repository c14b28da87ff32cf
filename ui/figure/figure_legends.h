// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include "ui/figure/figure_file.h"
#include "ui/figure/paper.h"

namespace equipatch {

using LegendEntries = QList<QCPAbstractPlottable*>;

/// The legend of one panel.
struct PanelLegend {
  int panel = 0;
  LegendEntries entries;
};

/// Which legends a figure has.
struct FigureLegends {
  QList<PanelLegend> panels;
  LegendEntries shared;  ///< of the legend for all panels; empty: it has none
};

/// Consecutive panels with the same entries have one legend: at the first of them, or,
/// below the axes, in the last row of them. A shared legend has each name once; a panel
/// where one of its colours and shapes means something else has a legend of its own.
/// @param named the entries of each panel, in drawing order
/// @param explained for each panel: whether even a single entry says more than the
/// heading; otherwise a legend with one entry is left out, unless it is of exact zeros or
/// beside a shared legend
/// @param columns of panels
FigureLegends chosenLegends(const QList<LegendEntries>& named,
                            const QList<bool>& explained, const FigureStyle& style,
                            int columns);

/// The width of the widest entry of a legend with its swatch, in units.
int entryWidth(const LegendEntries& entries, const Paper& paper);

enum class LegendColumns { One, AsFit };

/// Fills a legend that is already in a layout. Names that are wider than `room`
/// take several lines, also as names of the plottables.
/// @param entries at least one
/// @param room width for all columns of entries together, units
void fillLegend(QCPLegend& legend, const LegendEntries& entries, const Paper& paper,
                int room, LegendColumns columns);

/// The height of a filled legend, in units.
int legendHeight(const QCPLegend& legend, const Paper& paper);

}  // namespace equipatch
