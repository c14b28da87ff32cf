// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

/// Values by row and column. In the maps of a run a row is a layer, and a column is a
/// channel or a step. NaN: no value.
class HeatGrid {
 public:
  HeatGrid() = default;
  HeatGrid(int rows, int columns);

  int rows() const { return m_rows; }
  int columns() const { return m_columns; }
  bool empty() const { return m_rows == 0 || m_columns == 0; }
  float at(int row, int column) const { return m_values[index(row, column)]; }
  void set(int row, int column, float value) { m_values[index(row, column)] = value; }
  /// Adds a column at the right; rows without a value are NaN, values beyond the rows are
  /// left out.
  void addColumn(const std::vector<float>& values);
  /// Largest finite |value|, 0 when there is none.
  float largest() const;

 private:
  // Column-major, so that a step is added at the end.
  std::size_t index(int row, int column) const {
    return std::size_t(column) * std::size_t(m_rows) + std::size_t(row);
  }

  int m_rows = 0;
  int m_columns = 0;
  std::vector<float> m_values;
};

/// Positions of a map's rows or columns on an axis: row i is at first + i · step.
struct FigurePlaces {
  double first = 0.0;
  double step = 1.0;  ///< above 0

  double at(double index) const { return first + index * step; }
};

/// The values at both ends of an axis or of a colour scale; low < high.
struct FigureRange {
  double low = 0.0;
  double high = 1.0;

  bool operator==(const FigureRange&) const = default;
};

/// A heat map: rows along y, columns along x.
struct FigureMap {
  /// AroundZero: blue to orange around 0. FromZero: from 0 up, for sizes. Both have a
  /// symmetric-logarithmic scale, or a linear one (Evenly). Rising: from the smallest
  /// value to the largest, on a linear or a logarithmic scale (where values that are not
  /// positive have the colour of the smallest positive one).
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
  /// The magnitude at the end of the colour scale of an AroundZero or FromZero map, for
  /// maps that share a scale. Absent: the largest magnitude in this map.
  std::optional<double> largest = {};
};

/// True for scales that are logarithmic away from zero and linear near it.
constexpr bool isSymmetricLog(FigureMap::Colours colours) {
  return colours == FigureMap::Colours::AroundZero ||
         colours == FigureMap::Colours::FromZero;
}

/// The values at the ends of a map's colour scale. AroundZero: ± `largest`. FromZero: 0
/// and `largest`. If `largest` is 0, 1 is used instead. Rising: the smallest and the
/// largest finite value; RisingLogarithmic: of the positive values only. If all these
/// values are equal, the scale is a range around them. If there are none, it is 0 to 1,
/// or 0.1 to 1 for RisingLogarithmic.
FigureRange colourRange(const FigureMap& map);

/// A value's place on a map's colour scale, the same in every output format: the value,
/// its symmetric logarithm or, for RisingLogarithmic, log₁₀. NaN stays NaN. The
/// symmetric logarithm is sign(v) log₁₀(1 + |v| / c) with c a thousandth of the scale's
/// end; it shows small values of both signs beside large ones.
/// @param range the map's colourRange
double colourPlace(FigureMap::Colours colours, const FigureRange& range, double value);

/// A cell's value as figures print it into the cell, with as many digits as tell the
/// map's extremes apart. If all values are between 0.9 and 1 and the largest would be
/// printed as 1, those below 1 become "1 − 2×10⁻⁶", with one digit.
/// @param range the map's colourRange
std::string cellText(const FigureRange& range, double value);

/// A labelled tick of a colour scale.
struct ColourTick {
  double place = 0.0;
  double value = 0.0;
  /// True at the end of a cut scale, which does not reach the map's largest value. All
  /// values beyond this end have the colour of the end.
  bool isCut = false;
};

/// A symmetric-logarithmic scale has ticks at 0 and at powers of ten, a cut linear scale
/// at 0 and halfway to its ends. Every cut scale also has ticks at its ends. Empty for
/// other scales, which have the ticks of a usual linear or logarithmic axis.
std::vector<ColourTick> colourTicks(const FigureMap& map);

/// A part of a grid, pooled to fewer columns of nearly equal width. A cell holds
/// the value of largest magnitude, with its sign, of the columns that it covers, so that
/// outliers remain visible.
struct PooledGrid {
  HeatGrid grid;
  double first = 0.0;  ///< column at the left edge of the first cell
  double last = 0.0;   ///< column after the right edge of the last cell
};

/// @param from, to columns at the edges of the view; clamped to the grid
/// @param cells the maximum number of columns of the result, at least 1
PooledGrid pool(const HeatGrid& grid, double from, double to, int cells);

}  // namespace equipatch
