#include "core/figure/heat_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace equipatch {
namespace {
constexpr float kMissingCell = std::numeric_limits<float>::quiet_NaN();
}  // namespace

HeatGrid::HeatGrid(int layers, int columns)
    : m_layers(layers),
      m_columns(columns),
      m_values(std::size_t(layers) * std::size_t(columns), kMissingCell) {}

void HeatGrid::addColumn(const std::vector<float>& values) {
  m_values.resize(m_values.size() + std::size_t(m_layers), kMissingCell);
  const int column = m_columns++;
  const int count = std::min(m_layers, int(values.size()));
  for (int layer = 0; layer < count; ++layer)
    set(layer, column, values[std::size_t(layer)]);
}

float HeatGrid::largest() const {
  float largest = 0.0F;
  for (const float value : m_values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

HeatGrid scaleDeltaGrid(const StepRecord& record) {
  std::size_t width = 0;
  for (const LayerRecord& layer : record.layers)
    width = std::max(width, layer.scaleDelta.size());
  HeatGrid grid(int(record.layers.size()), int(width));
  for (std::size_t layer = 0; layer < record.layers.size(); ++layer) {
    const std::vector<float>& delta = record.layers[layer].scaleDelta;
    for (std::size_t channel = 0; channel < delta.size(); ++channel)
      grid.set(int(layer), int(channel), delta[channel]);
  }
  return grid;
}

PooledGrid pool(const HeatGrid& grid, double from, double to, int cells) {
  const int begin = std::clamp(int(std::floor(from)), 0, grid.columns());
  const int end = std::clamp(int(std::ceil(to)), begin, grid.columns());
  PooledGrid pooled{{}, double(begin), double(end)};
  const int count = std::min(end - begin, std::max(1, cells));
  if (count == 0 || grid.empty()) return pooled;
  pooled.grid = HeatGrid(grid.layers(), count);
  for (int column = begin; column < end; ++column) {
    const int cell = int(std::int64_t(column - begin) * count / (end - begin));
    for (int layer = 0; layer < grid.layers(); ++layer) {
      const float value = grid.at(layer, column);
      const float kept = pooled.grid.at(layer, cell);
      if (std::isnan(kept) || std::abs(value) > std::abs(kept))
        pooled.grid.set(layer, cell, value);
    }
  }
  return pooled;
}

}  // namespace equipatch
