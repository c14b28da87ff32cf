// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/figure/axis_limits.h"
#include "core/figure/figure_kind.h"
#include "ui/figure/figure_file.h"

namespace equipatch {

/// What the user asks `equipatch figure` for.
struct FigureOptions {
  std::string result;  ///< file of a lab result; empty: a figure of runs
  int panel = 0;       ///< of the result, from 1; 0: all panels
  std::vector<std::string> runs;
  std::vector<std::string> names;
  FigureKind kind = FigureKind::ByToken;
  std::string out;
  std::string format;  ///< empty: by the suffix of `out`
  FigureStyle style;
  std::string family;
  std::string width;  ///< empty: by the figure's panels
  FigureChoice choice;
  std::vector<AxisLimits> limits;
};

/// Adds the command `figure`, which fills `options` when `program` parses arguments.
CLI::App* addFigure(CLI::App& program, FigureOptions& options);

}  // namespace equipatch
