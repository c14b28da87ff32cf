// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_map.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/number_format.h"

namespace equipatch {
namespace {

constexpr float kMissingCell = std::numeric_limits<float>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The smallest and the largest finite value above `bound`; low > high if there is none.
FigureRange extremesAbove(double bound, const HeatGrid& grid) {
  FigureRange range{kInfinity, -kInfinity};
  for (int column = 0; column < grid.columns(); ++column)
    for (int row = 0; row < grid.rows(); ++row) {
      const auto value = static_cast<double>(grid.at(row, column));
      if (!std::isfinite(value) || value <= bound) continue;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  return range;
}

using Colours = FigureMap::Colours;

/// @param largest the value at the scale's upper end
double symmetricLog(double value, double largest) {
  constexpr double kThreshold = 1e-3;  // of `largest`; below, nearly linear
  return std::copysign(std::log10(1.0 + std::abs(value) / (kThreshold * largest)), value);
}

}  // namespace

HeatGrid::HeatGrid(int rows, int columns)
    : m_rows(rows),
      m_columns(columns),
      m_values(std::size_t(rows) * std::size_t(columns), kMissingCell) {}

void HeatGrid::addColumn(const std::vector<float>& values) {
  m_values.resize(m_values.size() + std::size_t(m_rows), kMissingCell);
  const int column = m_columns++;
  const int count = std::min(m_rows, int(values.size()));
  for (int row = 0; row < count; ++row) set(row, column, values[std::size_t(row)]);
}

float HeatGrid::largest() const {
  float largest = 0.0F;
  for (const float value : m_values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

PooledGrid pool(const HeatGrid& grid, double from, double to, int cells) {
  // A range of an axis may be larger than any int.
  const int begin = int(std::clamp(std::floor(from), 0.0, double(grid.columns())));
  const int end = int(std::clamp(std::ceil(to), double(begin), double(grid.columns())));
  PooledGrid pooled{{}, double(begin), double(end)};
  const int count = std::min(end - begin, std::max(1, cells));
  if (count == 0 || grid.empty()) return pooled;
  pooled.grid = HeatGrid(grid.rows(), count);
  for (int column = begin; column < end; ++column) {
    const int cell = int(std::int64_t(column - begin) * count / (end - begin));
    for (int row = 0; row < grid.rows(); ++row) {
      const float value = grid.at(row, column);
      const float kept = pooled.grid.at(row, cell);
      if (std::isnan(kept) || std::abs(value) > std::abs(kept))
        pooled.grid.set(row, cell, value);
    }
  }
  return pooled;
}

FigureRange colourRange(const FigureMap& map) {
  if (map.colours <= FigureMap::Colours::FromZeroEvenly) {
    const double own = static_cast<double>(map.grid.largest());
    const double wanted = map.largest.value_or(own);
    const double largest = wanted > 0.0 && std::isfinite(wanted) ? wanted : 1.0;
    return {map.isAroundZero() ? -largest : 0.0, largest};
  }
  const bool logarithmic = map.colours == FigureMap::Colours::RisingLogarithmic;
  const FigureRange range = extremesAbove(logarithmic ? 0.0 : -kInfinity, map.grid);
  if (range.low < range.high) return range;
  if (range.low > range.high) return logarithmic ? FigureRange{0.1, 1.0} : FigureRange{};
  if (logarithmic) return {range.low / 2.0, 2.0 * range.low};
  const double margin = range.low == 0.0 ? 1.0 : std::abs(range.low) / 2.0;
  return {range.low - margin, range.low + margin};
}

double colourPlace(Colours colours, const FigureRange& range, double value) {
  if (isSymmetricLog(colours)) return symmetricLog(value, range.high);
  if (colours != Colours::RisingLogarithmic || std::isnan(value)) return value;
  return std::log10(std::max(value, range.low));
}

std::string cellText(const FigureRange& range, double value) {
  constexpr double kLeastNearOne = 0.9;
  const int digits = distinctDigits(range.low, range.high);
  const bool nearOne = kLeastNearOne < range.low && range.high <= 1.0 &&
                       shortText(range.high, digits) == "1";
  if (nearOne && value < 1.0) return "1 − " + typographicText(1.0 - value, 1);
  return typographicText(value, digits);
}

std::vector<ColourTick> colourTicks(const FigureMap& map) {
  if (map.colours > Colours::FromZeroEvenly) return {};
  constexpr int kDecades = 3;
  const FigureRange range = colourRange(map);
  const bool isCut = static_cast<double>(map.grid.largest()) > 1.000001 * range.high;
  std::vector<double> values{0.0};
  if (isSymmetricLog(map.colours)) {
    const int top = int(std::floor(std::log10(range.high)));
    for (int exponent = top; exponent > top - kDecades; --exponent)
      values.push_back(std::pow(10.0, exponent));
  } else if (!isCut) {
    return {};
  } else {
    values.push_back(range.high / 2.0);
  }
  if (isCut)
    std::erase_if(values, [&](double value) { return value > 0.8 * range.high; });
  std::vector<ColourTick> ticks;
  const auto add = [&](double value, bool cut) {
    ticks.push_back({colourPlace(map.colours, range, value), value, cut});
    if (map.isAroundZero() && value > 0.0)
      ticks.push_back({colourPlace(map.colours, range, -value), -value, cut});
  };
  for (const double value : values) add(value, false);
  if (isCut) add(range.high, true);
  return ticks;
}

}  // namespace equipatch
