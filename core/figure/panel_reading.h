// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/figure/figure.h"

namespace equipatch {

// The values of a panel for its table and its tooltips.

/// The table of a panel:
/// - For curves, a row for each x of any curve, and a column for each curve and each kind
///   of marks: 1 where a mark is, else 0. With several runs, each run has its own columns
///   of marks, without a value where the run has no point.
/// - For a map, a row for each column of cells and a column for each row of cells.
/// - For boxes and bars, a row for each box or bar.
///
/// A table by step also has a column of tokens.
struct PanelTable {
  std::vector<std::string> columns;       ///< titles; the first is for x or the names
  std::vector<std::vector<double>> rows;  ///< each as long as `columns`; NaN: no value
  /// Words that replace the numbers of column `named`: the names of boxes and bars, or
  /// the tokens of a panel by step. Empty: the table has only numbers.
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

/// Reads a panel at (x, y). For curves it reads all values at the nearest x of any
/// curve, for a map the cell, for boxes and bars the row at y.
/// @returns nothing if the panel has no x to read, or no cell or row there. On an axis of
/// counts, the nearest x may be at most 0.5 away.
std::optional<PanelReading> readingAt(const FigurePanel& panel, double x, double y);

}  // namespace equipatch
