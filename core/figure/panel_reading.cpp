// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/panel_reading.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace equipatch {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// x of curves is ascending.
std::optional<double> valueAt(const FigureCurve& curve, double x) {
  const auto found = std::ranges::lower_bound(curve.x, x);
  if (found == curve.x.end() || *found != x) return std::nullopt;
  return curve.y[static_cast<std::size_t>(found - curve.x.begin())];
}

/// Marks of several runs are in no order.
std::optional<double> valueAt(const FigureMarks& marks, double x) {
  const auto found = std::ranges::find(marks.x, x);
  if (found == marks.x.end()) return std::nullopt;
  return marks.y[static_cast<std::size_t>(found - marks.x.begin())];
}

std::string markAt(const FigurePanel& panel, double x, double y) {
  for (const FigureMarks& marks : panel.marks)
    for (std::size_t i = 0; i < marks.x.size(); ++i)
      if (marks.x[i] == x && marks.y[i] == y) return marks.name;
  return {};
}

std::optional<double> nearest(const std::vector<double>& places, double x) {
  if (places.empty()) return std::nullopt;
  return *std::ranges::min_element(places, {},
                                   [x](double place) { return std::abs(place - x); });
}

PanelTable tableOfMap(const FigurePanel& panel) {
  const FigureMap& map = *panel.map;
  PanelTable table{{panel.x.label}, {}};
  for (int row = 0; row < map.grid.layers(); ++row)
    table.columns.push_back(panel.y.label + " " + std::to_string(row));
  for (int column = 0; column < map.grid.columns(); ++column) {
    std::vector<double> values{map.x.at(column)};
    for (int row = 0; row < map.grid.layers(); ++row)
      values.push_back(static_cast<double>(map.grid.at(row, column)));
    table.rows.push_back(std::move(values));
  }
  return table;
}

std::optional<PanelReading> readingOfMap(const FigureMap& map, double x, double y) {
  const double column = std::round((x - map.x.first) / map.x.step);
  const double row = std::round((y - map.y.first) / map.y.step);
  const bool inside = column >= 0.0 && column < map.grid.columns() && row >= 0.0 &&
                      row < map.grid.layers();
  if (!inside) return std::nullopt;
  const float value = map.grid.at(static_cast<int>(row), static_cast<int>(column));
  return PanelReading{.x = map.x.at(column),
                      .y = map.y.at(row),
                      .values = {{map.label, static_cast<double>(value), {}}}};
}

}  // namespace

PanelTable tableOf(const FigurePanel& panel) {
  if (panel.map) return tableOfMap(panel);
  PanelTable table{{panel.x.label}, {}};
  for (const FigureCurve& curve : panel.curves) table.columns.push_back(curve.name);
  for (const FigureMarks& marks : panel.marks) table.columns.push_back(marks.name);
  if (panel.curves.empty()) return table;
  for (const double x : panel.curves.front().x) {
    std::vector<double> row{x};
    for (const FigureCurve& curve : panel.curves)
      row.push_back(valueAt(curve, x).value_or(kNoValue));
    for (const FigureMarks& marks : panel.marks)
      row.push_back(valueAt(marks, x).value_or(kNoValue));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::optional<PanelReading> readingAt(const FigurePanel& panel, double x, double y) {
  if (panel.map) return readingOfMap(*panel.map, x, y);
  if (panel.curves.empty()) return std::nullopt;
  const std::optional<double> place = nearest(panel.curves.front().x, x);
  if (!place || (panel.x.counts && std::abs(*place - x) > 0.5)) return std::nullopt;
  PanelReading reading{.x = *place};
  for (const FigureCurve& curve : panel.curves)
    if (const std::optional<double> value = valueAt(curve, *place))
      reading.values.push_back({curve.name, *value, markAt(panel, *place, *value)});
  return reading;
}

}  // namespace equipatch
