// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

/// A grid of values; NaN: no value.
class HeatGrid {
 public:
  HeatGrid() = default;
  HeatGrid(int rows, int columns);

  int rows() const { return m_rows; }
  int columns() const { return m_columns; }
  bool empty() const { return m_rows == 0 || m_columns == 0; }
  float at(int row, int column) const { return m_values[index(row, column)]; }
  void set(int row, int column, float value) { m_values[index(row, column)] = value; }
  /// Appends a column: missing values become NaN, surplus values are left out.
  void addColumn(const std::vector<float>& values);
  /// Largest finite |value|, 0 when there is none.
  float largest() const;

 private:
  // Column-major, so that addColumn appends to `m_values`.
  std::size_t index(int row, int column) const {
    return std::size_t(column) * std::size_t(m_rows) + std::size_t(row);
  }

  int m_rows = 0;
  int m_columns = 0;
  std::vector<float> m_values;
};

/// Evenly spaced positions of a map's rows or columns on an axis.
struct FigurePlaces {
  double first = 0.0;
  double step = 1.0;  ///< above 0

  double at(double index) const { return first + index * step; }
};

/// The ends of an axis or of a colour scale; low < high.
struct FigureRange {
  double low = 0.0;
  double high = 1.0;

  bool operator==(const FigureRange&) const = default;
};

/// A heat map: rows along y, columns along x.
struct FigureMap {
  /// AroundZero: blue to orange around 0. FromZero: from 0 up, for magnitudes. Both have
  /// a symmetric-logarithmic scale; with the suffix Evenly, the scale is linear. Rising:
  /// from the smallest value to the largest, on a linear scale. RisingLogarithmic: from
  /// the smallest positive value to the largest, on a logarithmic scale; zeros and
  /// negative values have the colour of its lower end.
  enum class Colours {
    AroundZero,
    AroundZeroEvenly,
    FromZero,
    FromZeroEvenly,
    Rising,
    RisingLogarithmic
  };

  bool isAroundZero() const { return colours <= Colours::AroundZeroEvenly; }

  std::string label;  ///< of the colour scale, with its unit
  HeatGrid grid;
  Colours colours = Colours::AroundZero;
  FigurePlaces x = {};
  FigurePlaces y = {};
  /// The end of the colour scale of an AroundZero or FromZero map. Absent: the largest
  /// magnitude in this map.
  std::optional<double> largest = {};
};

constexpr bool isSymmetricLog(FigureMap::Colours colours) {
  return colours == FigureMap::Colours::AroundZero ||
         colours == FigureMap::Colours::FromZero;
}

/// The values at the ends of a map's colour scale. AroundZero: ± `largest`. FromZero: 0
/// and `largest`. Rising: the smallest and the largest finite value; RisingLogarithmic:
/// of the positive values only. If this does not give two finite ends with low < high,
/// other ends replace them.
FigureRange colourRange(const FigureMap& map);

/// A value's place on a map's colour scale: the value, its symmetric logarithm or, for
/// RisingLogarithmic, its log₁₀. The symmetric logarithm is sign(v) log₁₀(1 + |v| / c)
/// with c a thousandth of the scale's upper end.
/// @param range the map's colourRange
double colourPlace(FigureMap::Colours colours, const FigureRange& range, double value);

/// A cell's value as text, with enough digits to tell the ends of the range apart. If
/// the range is between 0.9 and 1 and its upper end would be printed as 1, values below 1
/// are printed like "1 − 2×10⁻⁶".
/// @param range the map's colourRange
std::string cellText(const FigureRange& range, double value);

struct ColourTick {
  double place = 0.0;  ///< the value's colourPlace
  double value = 0.0;
  /// True at the ends of a cut scale. A scale is cut if the map has larger magnitudes
  /// than the scale's upper end; these have the colour of the nearest end.
  bool isCut = false;
};

/// The labelled ticks of a symmetric-logarithmic scale or of a cut linear scale. Empty
/// for other scales, which have the ticks of an ordinary axis.
std::vector<ColourTick> colourTicks(const FigureMap& map);

/// Adjacent columns of a grid, pooled if they are too many. A cell holds the value of
/// largest magnitude, with its sign, of the columns that the cell covers, so that
/// outliers remain visible.
struct PooledGrid {
  HeatGrid grid;
  double first = 0.0;  ///< the first column that the cells cover
  double last = 0.0;   ///< the column after those that the cells cover
};

/// @param from, to columns at the edges of the view; clamped to the grid
/// @param cells the maximum number of columns of the result, at least 1
PooledGrid pool(const HeatGrid& grid, double from, double to, int cells);

}  // namespace equipatch
