// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include "ui/figure/figure_file.h"
#include "ui/figure/paper.h"

namespace equipatch {

using LegendEntries = QList<QCPAbstractPlottable*>;

struct PanelLegend {
  int panel = 0;  ///< index
  LegendEntries entries;
};

struct FigureLegends {
  QList<PanelLegend> panels;
  LegendEntries shared;  ///< of the legend for all panels; empty: no such legend
};

/// Consecutive panels with the same curves have one legend, at the first of these panels.
/// A legend below the axes is at the first of these panels in their last row.
/// If the style asks for a shared legend, it lists each name once. A panel then has its
/// own legend if one of its entries looks like a shared entry with another name.
/// @param named the entries of each panel, in drawing order
/// @param explained for each panel: whether a legend with a single entry is kept.
/// Otherwise such a legend is kept only if it explains exact zeros or supplements a
/// shared legend
/// @param columns of panels
FigureLegends chosenLegends(const QList<LegendEntries>& named,
                            const QList<bool>& explained, const FigureStyle& style,
                            int columns);

/// The width of the widest entry with its swatch, in Paper's units.
int entryWidth(const LegendEntries& entries, const Paper& paper);

enum class LegendColumns { One, AsFit };

/// Fills a legend that is already in a layout. Breaks names that are wider than `room`
/// into lines; this renames the plottables.
/// @param entries at least one
/// @param room the width of all columns together, in Paper's units
void fillLegend(QCPLegend& legend, const LegendEntries& entries, const Paper& paper,
                int room, LegendColumns columns);

/// The height of a filled legend, in Paper's units.
int legendHeight(const QCPLegend& legend, const Paper& paper);

}  // namespace equipatch
