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

/// Consecutive panels with the same curves have one legend, at the first of these panels.
/// If legends are below the axes, it is at the first of these panels in their last row.
/// A shared legend lists each name once. A panel has a legend of its own if one of its
/// entries looks like an entry of the shared legend that has another name.
/// @param named the entries of each panel, in drawing order
/// @param explained for each panel: whether a legend with a single entry is kept.
/// Otherwise it is left out, unless its entry explains exact zeros or it supplements a
/// shared legend
/// @param columns of panels
FigureLegends chosenLegends(const QList<LegendEntries>& named,
                            const QList<bool>& explained, const FigureStyle& style,
                            int columns);

/// The width of the widest entry of a legend with its swatch, in units.
int entryWidth(const LegendEntries& entries, const Paper& paper);

enum class LegendColumns { One, AsFit };

/// Fills a legend that is already in a layout. Breaks names that are wider than `room`
/// into lines; this renames the plottables.
/// @param entries at least one
/// @param room width for all columns of entries together, units
void fillLegend(QCPLegend& legend, const LegendEntries& entries, const Paper& paper,
                int room, LegendColumns columns);

/// The height of a filled legend, in units.
int legendHeight(const QCPLegend& legend, const Paper& paper);

}  // namespace equipatch
