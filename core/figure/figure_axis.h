// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/figure/figure_map.h"

namespace equipatch {

enum class FigureScale { Linear, Logarithmic };

struct FigureAxis {
  std::string label;  ///< with its unit
  FigureScale scale = FigureScale::Linear;
  bool counts = false;  ///< steps, layers, channels: ticks at whole numbers only
  std::vector<std::string> names;  ///< tick labels of 0, 1, 2, …; empty: numbers
  /// The range that the axis shows. Absent: `panel_range` derives it from the values.
  std::optional<FigureRange> limits = {};
  /// Whole numbers whose ticks are thick, and what they have in common: "recurrent".
  std::vector<std::int64_t> marked = {};
  std::string markedAs = {};
  bool downwards = false;  ///< y only: values increase downwards

  /// @param value a whole number
  bool isMarked(double value) const {
    return std::ranges::find(marked, static_cast<std::int64_t>(value)) != marked.end();
  }
  /// The label with the meaning of thick ticks.
  std::string title() const {
    return marked.empty() ? label : label + " (thick ticks: " + markedAs + ")";
  }

  bool operator==(const FigureAxis&) const = default;
};

}  // namespace equipatch
