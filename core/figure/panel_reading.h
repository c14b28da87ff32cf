// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/figure/figure.h"

namespace equipatch {

/// The values of a panel as a table:
/// - Curves: a row for each x, a column for each curve, and a column for each kind of
///   marks, with 1 where a mark is, else 0. With several runs, each run has its own
///   columns of marks, without a value where the run has no point.
/// - A map: a row for each column of cells and a column for each row of cells.
/// - Boxes and bars: a row for each.
///
/// If the panel has tokens, the second column holds them.
struct PanelTable {
  std::vector<std::string> columns;       ///< titles; the first is for x or the names
  std::vector<std::vector<double>> rows;  ///< each as long as `columns`; NaN: no value
  /// By row, the text that replaces the number in column `named`: the name of the box or
  /// bar, or the step's token. Empty: the table has only numbers.
  std::vector<std::string> names = {};
  std::size_t named = 0;
};

PanelTable tableOf(const FigurePanel& panel);

struct PanelReading {
  struct Value {
    std::string name;
    double value = 0.0;
    std::string mark;  ///< signs and names of the marks at this point; empty: none
  };
  std::string name;   ///< of a box or a bar, instead of x
  std::string token;  ///< of the step; empty: not known
  double x = 0.0;
  std::optional<double> y;  ///< of a map's cell; the row of a box or a bar
  std::vector<Value> values;
};

/// The values at (x, y): those of the map's cell, of the box or bar at y, or of all
/// curves that have a point at the x nearest to `x`.
/// @returns nothing if no curve has a point (on an axis of counts: within 0.5 of `x`), or
/// if the map or the rows do not contain (x, y).
std::optional<PanelReading> readingAt(const FigurePanel& panel, double x, double y);

}  // namespace equipatch
