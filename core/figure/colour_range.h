#pragma once

#include "core/figure/figure.h"

namespace equipatch {

/// The values at both ends of a colour scale; low < high.
struct ColourRange {
  double low = 0.0;
  double high = 1.0;
};

/// All finite values of a map fit, on a logarithmic scale the positive ones; around zero
/// the range is symmetric.
ColourRange colourRange(const FigureMap& map);

}  // namespace equipatch
