#pragma once

#include <vector>

#include "core/record/step_record.h"

namespace equipatch {

/// Numbers over layer × column; a column is a channel or a step. NaN where there is none.
class HeatGrid {
 public:
  HeatGrid() = default;
  HeatGrid(int layers, int columns);

  int layers() const { return m_layers; }
  int columns() const { return m_columns; }
  bool empty() const { return m_layers == 0 || m_columns == 0; }
  float at(int layer, int column) const { return m_values[index(layer, column)]; }
  void set(int layer, int column, float value) { m_values[index(layer, column)] = value; }
  /// Adds a column at the right; layers beyond the values stay NaN.
  void addColumn(const std::vector<float>& values);
  /// Largest finite |value|, 0 when there is none.
  float largest() const;

 private:
  // Column after column, so that a run grows at the end.
  std::size_t index(int layer, int column) const {
    return std::size_t(column) * std::size_t(m_layers) + std::size_t(layer);
  }

  int m_layers = 0;
  int m_columns = 0;
  std::vector<float> m_values;
};

/// Δm of a step: layer × channel.
HeatGrid scaleDeltaGrid(const StepRecord& record);

/// A part of a grid brought down to at most `cells` columns of equal width. A cell holds,
/// of the values it covers, the one of largest size with its sign: outliers survive any
/// zoom.
struct PooledGrid {
  HeatGrid grid;
  double first = 0.0;  ///< column at the left edge of the first cell
  double last = 0.0;   ///< column after the right edge of the last cell
};

/// @param from, to columns at the edges of the view; clamped to the grid.
PooledGrid pool(const HeatGrid& grid, double from, double to, int cells);

}  // namespace equipatch
