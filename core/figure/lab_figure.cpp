// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/lab_figure.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/figure/curve_mark.h"
#include "core/figure/figure_caption.h"
#include "core/figure/figure_json.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostPanels = 200;
constexpr std::size_t kMostCurves = 200;  // per panel; styleOf compares all pairs
constexpr double kHairline = 1e-3;        // relative; a smaller difference is invisible
constexpr double kUneven = 1e-3;          // of a step; the tolerance of even spacing
// Limits the coordinates of a map's rows and columns, so that its axes are finite.
constexpr double kFarthestPlace = 1e200;

std::string withUnit(const std::string& label, const std::string& unit) {
  return unit.empty() ? label : label + " (" + unit + ")";
}

FigureScale scaleOf(LabScale scale) {
  return scale == LabScale::Logarithmic ? FigureScale::Logarithmic : FigureScale::Linear;
}

/// True if all places are whole numbers of magnitude at most 2⁵³, the limit of exact
/// integers in a double.
bool areWhole(const std::vector<double>& places) {
  return std::ranges::all_of(places, [](double place) {
    return place == std::floor(place) && std::abs(place) <= 0x1p53;
  });
}

FigureAxis axisOf(const LabAxis& axis, bool whole) {
  const bool counts = whole && axis.scale == LabScale::Linear;
  std::vector<std::string> names;
  for (const std::string& tick : axis.ticks) names.push_back(tokenLabel(tick));
  return {.label = withUnit(axis.label, axis.unit),
          .scale = scaleOf(axis.scale),
          .counts = counts,
          .names = std::move(names),
          .downwards = axis.downwards};
}

bool liesOn(const LabCurve& curve, const LabCurve& other) {
  return std::ranges::equal(curve.y, other.y, [](double a, double b) {
    return std::abs(a - b) <= kHairline * std::max(std::abs(a), std::abs(b)) ||
           (std::isnan(a) && std::isnan(b));
  });
}

/// A curve with nearly the same y values as an earlier curve gets a dashed or dotted
/// line, so that both are visible.
int styleOf(const LabPanel& panel, std::size_t number) {
  const auto before = std::ranges::subrange(
      panel.curves.begin(), panel.curves.begin() + static_cast<std::ptrdiff_t>(number));
  const bool covers = std::ranges::any_of(
      before, [&](const LabCurve& each) { return liesOn(panel.curves[number], each); });
  int style = static_cast<int>(number);
  if (!covers) return style;
  style += kCurveColours;
  while (numberedLine(style) == CurveLine::Solid) style += kCurveColours;
  return style;
}

/// The indices of the points in ascending order of x, without those whose x is NaN. A
/// file may hold points in any order; readings and tables need them ascending.
std::vector<std::size_t> ascendingPoints(const LabCurve& curve) {
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (!std::isnan(curve.x[i])) points.push_back(i);
  std::ranges::stable_sort(points, {}, [&](std::size_t i) { return curve.x[i]; });
  return points;
}

FigureCurve curveOf(const LabCurve& curve, int style) {
  FigureCurve drawn{.name = curve.name, .style = style};
  if (!curve.error.empty()) drawn.name += " ± standard error";
  for (const std::size_t i : ascendingPoints(curve)) {
    drawn.x.push_back(curve.x[i]);
    drawn.y.push_back(curve.y[i]);
    if (curve.error.empty()) continue;
    drawn.lower.push_back(curve.y[i] - curve.error[i]);
    drawn.upper.push_back(curve.y[i] + curve.error[i]);
  }
  return drawn;
}

FigurePlaces placesOf(const std::vector<double>& places, const std::string& map) {
  if (places.empty()) return {};
  const auto last = static_cast<double>(places.size() - 1);
  const double step = last > 0.0 ? (places.back() - places.front()) / last : 1.0;
  const FigurePlaces even{places.front(), step};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double off = std::abs(places[i] - even.at(static_cast<double>(i)));
    if (std::abs(places[i]) <= kFarthestPlace && step > 0.0 && off <= kUneven * step)
      continue;
    throw badInput("the map " + inQuotes(map) +
                   ": expected ascending, evenly spaced coordinates within ±1e200, "
                   "but number " +
                   std::to_string(i) + " is " + shortText(places[i], 6));
  }
  return even;
}

FigureMap mapOf(const LabMap& map) {
  const bool logarithmic = map.scale == LabScale::Logarithmic;
  FigureMap drawn{
      .label = withUnit(map.label, map.unit),
      .grid = HeatGrid(static_cast<int>(map.y.size()), static_cast<int>(map.x.size())),
      .colours = logarithmic ? FigureMap::Colours::RisingLogarithmic
                             : FigureMap::Colours::Rising,
      .x = placesOf(map.x, map.label),
      .y = placesOf(map.y, map.label)};
  for (std::size_t row = 0; row < map.y.size(); ++row)
    for (std::size_t column = 0; column < map.x.size(); ++column)
      drawn.grid.set(static_cast<int>(row), static_cast<int>(column),
                     static_cast<float>(map.values[row * map.x.size() + column]));
  return drawn;
}

/// @param picture the result's picture in grey; null: none
FigurePanel panelOf(const LabPanel& panel,
                    const std::shared_ptr<const FigurePicture>& picture) {
  if (panel.curves.size() > kMostCurves)
    throw badInput("the figure " + inQuotes(panel.title) + ": expected at most " +
                   std::to_string(kMostCurves) + " curves, found " +
                   std::to_string(panel.curves.size()));
  bool wholeX = true;
  for (const LabCurve& curve : panel.curves) wholeX = wholeX && areWhole(curve.x);
  if (panel.map) wholeX = wholeX && areWhole(panel.map->x);
  const bool wholeY = panel.map && areWhole(panel.map->y);
  FigurePanel drawn{
      .title = panel.title, .x = axisOf(panel.x, wholeX), .y = axisOf(panel.y, wholeY)};
  for (std::size_t i = 0; i < panel.curves.size(); ++i)
    drawn.curves.push_back(curveOf(panel.curves[i], styleOf(panel, i)));
  if (!panel.map) return drawn;
  drawn.map = mapOf(*panel.map);
  if (panel.map->overPicture) drawn.under = picture;
  return drawn;
}

}  // namespace

Figure labFigure(const LabResult& result) {
  if (result.panels.empty() || result.panels.size() > kMostPanels)
    throw badInput("the result of " + inQuotes(result.experiment) + ": expected 1 to " +
                   std::to_string(kMostPanels) + " figures, found " +
                   std::to_string(result.panels.size()));
  Figure figure{.kind = "lab",
                .title = result.title,
                .columns = result.panels.size() > 1 || result.picture ? 2 : 1,
                .provenance = provenanceJson(result),
                .caption = captionOf(result)};
  std::shared_ptr<const FigurePicture> picture;
  if (const auto& found = result.picture) {
    FigurePicture decoded = decodedPicture(found->name, found->bytes);
    picture = std::make_shared<const FigurePicture>(inGrey(decoded));
    figure.panels.push_back({.title = found->name, .pictures = {std::move(decoded)}});
  }
  for (const LabPanel& panel : result.panels)
    figure.panels.push_back(panelOf(panel, picture));
  return figure;
}

Figure labFigure(const LabResult& result, int panel) {
  return onePanel(labFigure(result), result, panel);
}

Figure onePanel(const Figure& all, const LabResult& result, int panel) {
  const auto count = static_cast<int>(result.panels.size());
  if (panel < 1 || panel > count)
    throw badInput("the result of " + inQuotes(result.experiment) +
                   ": expected a panel from 1 to " + std::to_string(count) + ", found " +
                   std::to_string(panel));
  const auto before = all.panels.size() - result.panels.size();  // 1: the picture; or 0
  return {.kind = all.kind,
          .title = all.title,
          .panels = {all.panels[before + static_cast<std::size_t>(panel - 1)]},
          .provenance = all.provenance,
          .caption = all.caption};
}

}  // namespace equipatch
