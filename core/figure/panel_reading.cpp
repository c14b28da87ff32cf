// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/panel_reading.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/number_format.h"
#include "core/figure/panel_range.h"

namespace equipatch {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Requires ascending x.
std::optional<double> valueAt(const FigureCurve& curve, double x) {
  const auto found = std::ranges::lower_bound(curve.x, x);
  if (found == curve.x.end() || *found != x) return std::nullopt;
  return curve.y[static_cast<std::size_t>(found - curve.x.begin())];
}

/// Marks of several runs are not sorted by x.
std::optional<double> valueAt(const FigureMarks& marks, double x) {
  const auto found = std::ranges::find(marks.x, x);
  if (found == marks.x.end()) return std::nullopt;
  return marks.y[static_cast<std::size_t>(found - marks.x.begin())];
}

std::string symbolAndName(const FigureMarks& marks) {
  return (marks.symbol == FigureMarks::Symbol::Mismatch ? "✗ " : "◆ ") + marks.name;
}

/// True if the point (x, y) of the curve with index `curve` has a mark. Marks that list
/// their curves are matched by curve, not by y, because two runs may have equal values.
bool isMarked(const FigureMarks& marks, std::size_t curve, double x, double y) {
  const auto isHere = [&](std::size_t mark) {
    if (!marks.curves.empty()) return marks.curves[mark] == curve;
    return marks.y[mark] == y || (std::isnan(marks.y[mark]) && std::isnan(y));
  };
  for (std::size_t i = 0; i < marks.x.size(); ++i)
    if (marks.x[i] == x && isHere(i)) return true;
  return false;
}

std::string markAt(const FigurePanel& panel, std::size_t curve, double x, double y) {
  std::string text;
  const auto add = [&text](const std::string& words) {
    text += (text.empty() ? "" : "  ") + words;
  };
  if (y == 0.0 && hasZeros(panel, panel.curves[curve]))
    add(std::string("○ ") + kZeroName);
  for (const FigureMarks& each : panel.marks)
    if (isMarked(each, curve, x, y)) add(symbolAndName(each));
  return text;
}

/// A table's column for one kind of marks.
struct MarkColumn {
  const FigureMarks* marks;
  std::optional<std::size_t> run;  ///< index of the run's curve; none: all marks
};

std::vector<MarkColumn> markColumns(const FigurePanel& panel) {
  std::vector<std::optional<std::size_t>> runs;
  for (std::size_t curve = 0; curve < panel.curves.size(); ++curve)
    if (panel.curves[curve].look == FigureCurve::Look::Numbered) runs.emplace_back(curve);
  if (runs.size() < 2) runs = {std::nullopt};
  std::vector<MarkColumn> columns;
  for (const FigureMarks& marks : panel.marks)
    for (const auto& run : runs) columns.push_back({&marks, run});
  return columns;
}

std::string nameOf(const FigurePanel& panel, const MarkColumn& column) {
  return column.marks->name + (column.run ? ", " + panel.curves[*column.run].name : "");
}

std::optional<double> valueAt(const FigurePanel& panel, const MarkColumn& column,
                              double x) {
  if (!column.run) return valueAt(*column.marks, x) ? 1.0 : 0.0;
  const std::optional<double> value = valueAt(panel.curves[*column.run], x);
  if (!value) return std::nullopt;
  return isMarked(*column.marks, *column.run, x, *value) ? 1.0 : 0.0;
}

/// Every x of the curves once, ascending. Leaves out NaN, which cannot be sorted.
std::vector<double> placesIn(const FigurePanel& panel) {
  std::vector<double> places;
  for (const FigureCurve& curve : panel.curves)
    std::ranges::remove_copy_if(curve.x, std::back_inserter(places),
                                [](double x) { return std::isnan(x); });
  std::ranges::sort(places);
  const auto repeated = std::ranges::unique(places);
  places.erase(repeated.begin(), repeated.end());
  return places;
}

std::optional<double> nearest(const FigurePanel& panel, double x) {
  std::optional<double> best;
  const auto offer = [&](double place) {
    if (!best || std::abs(place - x) < std::abs(*best - x)) best = place;
  };
  for (const FigureCurve& curve : panel.curves) {
    const auto next = std::ranges::lower_bound(curve.x, x);
    if (next != curve.x.end()) offer(*next);
    if (next != curve.x.begin()) offer(*std::prev(next));
  }
  return best;
}

/// @param x a step
std::string tokenAt(const FigurePanel& panel, double x) {
  const bool inside = x >= 0.0 && x < static_cast<double>(panel.tokens.size());
  return inside ? panel.tokens[static_cast<std::size_t>(x)] : std::string();
}

void addTokens(const FigurePanel& panel, PanelTable& table) {
  if (panel.tokens.empty()) return;
  table.named = 1;
  table.columns.insert(table.columns.begin() + 1, "token");
  for (std::vector<double>& row : table.rows) {
    table.names.push_back(tokenAt(panel, row.front()));
    row.insert(row.begin() + 1, kNoValue);
  }
}

PanelTable tableOfMap(const FigurePanel& panel) {
  const FigureMap& map = *panel.map;
  PanelTable table{{panel.x.label}, {}};
  for (int row = 0; row < map.grid.rows(); ++row)
    table.columns.push_back(panel.y.label + " " + shortText(map.y.at(row), 6));
  for (int column = 0; column < map.grid.columns(); ++column) {
    std::vector<double> values{map.x.at(column)};
    for (int row = 0; row < map.grid.rows(); ++row)
      values.push_back(static_cast<double>(map.grid.at(row, column)));
    table.rows.push_back(std::move(values));
  }
  addTokens(panel, table);
  return table;
}

std::optional<PanelReading> readingOfMap(const FigurePanel& panel, double x, double y) {
  const FigureMap& map = *panel.map;
  const double column = std::round((x - map.x.first) / map.x.step);
  const double row = std::round((y - map.y.first) / map.y.step);
  const bool inside =
      column >= 0.0 && column < map.grid.columns() && row >= 0.0 && row < map.grid.rows();
  if (!inside) return std::nullopt;
  const float value = map.grid.at(static_cast<int>(row), static_cast<int>(column));
  return PanelReading{.token = tokenAt(panel, map.x.at(column)),
                      .x = map.x.at(column),
                      .y = map.y.at(row),
                      .values = {{map.label, static_cast<double>(value), {}}}};
}

/// The numbers of a box or a bar, each with its name.
std::vector<PanelReading::Value> valuesOf(const FigurePanel& panel, std::size_t row) {
  std::vector<PanelReading::Value> values;
  const auto add = [&values](std::string name, double value) {
    values.push_back({std::move(name), value, {}});
  };
  const auto addShare = [&add](const FigureShare& share) {
    add(share.pass == "patched" ? "equal tokens, %"
                                : "equal tokens of the " + share.pass + " pass, %",
        share.percent());
  };
  if (row < panel.boxes.size()) {
    const FigureBox& box = panel.boxes[row];
    add("smallest", box.smallest());
    add("5 %", box.low);
    add("25 %", box.lowerQuartile);
    add("median", box.median);
    add("75 %", box.upperQuartile);
    add("95 %", box.high);
    add("largest", box.largest());
    add("steps", static_cast<double>(box.count));
    if (box.equal.whole > 0) addShare(box.equal);
  }
  if (row < panel.bars.size()) addShare(panel.bars[row].share);
  return values;
}

const std::string& nameOfRow(const FigurePanel& panel, std::size_t row) {
  return row < panel.boxes.size() ? panel.boxes[row].name : panel.bars[row].name;
}

/// The shares of different passes are in different columns.
PanelTable tableOfRows(const FigurePanel& panel) {
  PanelTable table{{panel.y.label}, {}};
  for (std::size_t row = 0; row < panel.rows(); ++row) {
    table.names.push_back(nameOfRow(panel, row));
    std::vector<double> numbers{static_cast<double>(row)};
    for (const PanelReading::Value& value : valuesOf(panel, row)) {
      const auto column =
          std::find(table.columns.begin() + 1, table.columns.end(), value.name);
      const auto place = static_cast<std::size_t>(column - table.columns.begin());
      if (column == table.columns.end()) table.columns.push_back(value.name);
      numbers.resize(table.columns.size(), kNoValue);
      numbers[place] = value.value;
    }
    table.rows.push_back(std::move(numbers));
  }
  for (std::vector<double>& numbers : table.rows)
    numbers.resize(table.columns.size(), kNoValue);
  return table;
}

std::optional<PanelReading> readingOfRow(const FigurePanel& panel, double y) {
  const double row = std::round(y);
  if (!(row >= 0.0 && row < static_cast<double>(panel.rows()))) return std::nullopt;
  const auto index = static_cast<std::size_t>(row);
  return PanelReading{
      .name = nameOfRow(panel, index), .y = row, .values = valuesOf(panel, index)};
}

}  // namespace

PanelTable tableOf(const FigurePanel& panel) {
  if (panel.map) return tableOfMap(panel);
  if (panel.hasRows()) return tableOfRows(panel);
  PanelTable table{{panel.x.label}, {}};
  const std::vector<MarkColumn> marks = markColumns(panel);
  for (const FigureCurve& curve : panel.curves) table.columns.push_back(curve.name);
  for (const MarkColumn& column : marks) table.columns.push_back(nameOf(panel, column));
  for (const double x : placesIn(panel)) {
    std::vector<double> row{x};
    for (const FigureCurve& curve : panel.curves)
      row.push_back(valueAt(curve, x).value_or(kNoValue));
    for (const MarkColumn& column : marks)
      row.push_back(valueAt(panel, column, x).value_or(kNoValue));
    table.rows.push_back(std::move(row));
  }
  addTokens(panel, table);
  return table;
}

std::optional<PanelReading> readingAt(const FigurePanel& panel, double x, double y) {
  if (panel.map) return readingOfMap(panel, x, y);
  if (panel.hasRows()) return readingOfRow(panel, y);
  if (panel.curves.empty()) return std::nullopt;
  const std::optional<double> place = nearest(panel, x);
  if (!place || (panel.x.counts && std::abs(*place - x) > 0.5)) return std::nullopt;
  PanelReading reading{.token = tokenAt(panel, *place), .x = *place};
  for (std::size_t i = 0; i < panel.curves.size(); ++i)
    if (const std::optional<double> value = valueAt(panel.curves[i], *place))
      reading.values.push_back(
          {panel.curves[i].name, *value, markAt(panel, i, *place, *value)});
  return reading;
}

}  // namespace equipatch
