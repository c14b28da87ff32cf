// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/figure/figure.h"

namespace equipatch {

// The values of a panel for its table and its tooltips.

/// The table of a panel. For curves it has a row for each x of any curve, a column for
/// each curve and each kind of marks (with several runs, each run's marks, which have no
/// value where the run has no point): 1 where the mark is, else 0. For a map it has a row
/// for each column of cells and a column for each row of cells. By step both have a
/// column for the tokens. Each box or bar has a row.
struct PanelTable {
  std::vector<std::string> columns;       ///< the first is that of x, or of the names
  std::vector<std::vector<double>> rows;  ///< each as long as `columns`; NaN: no value
  /// Words that replace the numbers of column `named`: the names of boxes and bars, or
  /// the tokens of a panel by step. Empty: none.
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
  std::optional<double> y;  ///< of a map's cell; of a box or a bar its row
  std::vector<Value> values;
};

/// Reads a panel at (x, y). For curves it reads all values at the nearest x of any
/// curve, for a map the cell, for rows the box and the bar.
/// @returns nothing if the panel has no such x, cell or row; on an axis of counts, x must
/// be within half a count.
std::optional<PanelReading> readingAt(const FigurePanel& panel, double x, double y);

}  // namespace equipatch
