#include "core/figure/colour_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace equipatch {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Of the finite values above `bound`; low > high when there is none.
ColourRange extremesAbove(double bound, const HeatGrid& grid) {
  ColourRange range{kInfinity, -kInfinity};
  for (int column = 0; column < grid.columns(); ++column)
    for (int row = 0; row < grid.layers(); ++row) {
      const auto value = static_cast<double>(grid.at(row, column));
      if (!std::isfinite(value) || value <= bound) continue;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  return range;
}

}  // namespace

ColourRange colourRange(const FigureMap& map) {
  if (map.colours <= FigureMap::Colours::FromZeroEvenly) {
    const double largest =
        map.grid.largest() > 0.0F ? static_cast<double>(map.grid.largest()) : 1.0;
    return {map.isAroundZero() ? -largest : 0.0, largest};
  }
  const bool logarithmic = map.colours == FigureMap::Colours::RisingLogarithmic;
  const ColourRange range = extremesAbove(logarithmic ? 0.0 : -kInfinity, map.grid);
  if (range.low < range.high) return range;
  if (range.low > range.high) return logarithmic ? ColourRange{0.1, 1.0} : ColourRange{};
  if (logarithmic) return {range.low / 2.0, 2.0 * range.low};
  const double margin = range.low == 0.0 ? 1.0 : std::abs(range.low) / 2.0;
  return {range.low - margin, range.low + margin};
}

}  // namespace equipatch
