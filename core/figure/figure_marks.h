// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace equipatch {

/// Points that are drawn with a symbol.
struct FigureMarks {
  enum class Symbol {
    Mismatch,          ///< ✗: the most likely tokens differ; red, or of a run's colour
    SampledDifference  ///< ◆, open in print: the sampled tokens differ
  };

  Symbol symbol = Symbol::Mismatch;
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<std::size_t> curves = {};  ///< index of each point's curve; empty: unknown

  /// The points of one curve; none if the points' curves are unknown.
  FigureMarks ofCurve(std::size_t curve) const {
    FigureMarks own{.symbol = symbol, .name = name, .x = {}, .y = {}};
    for (std::size_t i = 0; i < curves.size(); ++i)
      if (curves[i] == curve) {
        own.x.push_back(x[i]);
        own.y.push_back(y[i]);
      }
    return own;
  }
};

}  // namespace equipatch
