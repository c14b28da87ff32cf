// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/axis_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/number_from.h"
#include "core/base/strings.h"
#include "core/figure/caption_measures.h"
#include "core/figure/panel_range.h"

namespace equipatch {
namespace {

// Bounds of the ends of a logarithmic axis (panel_range.cpp).
constexpr double kLeastLogarithmic = 1e-240, kMostLogarithmic = 1e60;

AxisLimits parsePart(std::string_view part) {
  const std::size_t sign = part.find('=');
  const std::size_t colon = part.find(':', std::min(sign, part.size()));
  if (colon != std::string_view::npos) {
    const auto low = numberFrom<double>(trimmed(part.substr(sign + 1, colon - sign - 1)));
    const auto high = numberFrom<double>(trimmed(part.substr(colon + 1)));
    const std::string axis = trimmed(part.substr(0, sign));
    if (!axis.empty() && low && high && std::isfinite(*high - *low) && *low < *high)
      return {axis, {*low, *high}};
  }
  throw badInput(
      "expected limits such as y=1e-6:10 or step=0:30, the lower one first, "
      "found " +
      inQuotes(part));
}

/// The label as a user may type it: in lower case, with letters for ∞, Δ and α, and
/// without ‖ and ′. "L∞ of the logits" becomes "linf of the logits".
std::string typed(std::string_view label) {
  std::string text(label);
  for (const auto& [sign, letters] :
       {std::pair("∞", "inf"), {"‖", ""}, {"′", ""}, {"Δ", "d"}, {"α", "alpha"}})
    for (std::size_t at; (at = text.find(sign)) != std::string::npos;)
      text.replace(at, std::string_view(sign).size(), letters);
  return asciiLowered(text);
}

/// An axis whose limits the user may set, with "x", "y" or "right".
struct NamedAxis {
  std::string_view word;
  FigureAxis* axis;
};

std::vector<NamedAxis> axesOf(Figure& figure) {
  std::vector<NamedAxis> axes;
  for (FigurePanel& panel : figure.panels) {
    if (panel.map || !panel.pictures.empty()) continue;
    axes.push_back({"x", &panel.x});
    if (!panel.hasRows()) axes.push_back({"y", &panel.y});
    if (panel.right) axes.push_back({"right", &*panel.right});
  }
  return axes;
}

/// Refuses limits that cut off a part of a box or bar: a row could otherwise show a name
/// and no values. Limits of bars must also begin at 0. Exact zeros on a logarithmic axis
/// are ignored, because they are drawn at its end; infinite values are never drawn.
void requireAllRows(const FigurePanel& panel) {
  if (!panel.x.limits) return;
  const auto& [low, high] = *panel.x.limits;
  for (const FigureBox& box : panel.boxes) {
    const auto drawn = drawnValues(box, panel.x.scale);
    if (drawn && (drawn->low < low || drawn->high > high))
      throw badInput("the limits of the axis " + inQuotes(panel.x.label) +
                     " should contain all values, but " + inQuotes(box.name) +
                     " has values from " + shortText(drawn->low, 3) + " to " +
                     shortText(drawn->high, 3));
  }
  for (const FigureBar& bar : panel.bars)
    if (low != 0.0 || bar.share.percent() > high)
      throw badInput("the limits of the axis " + inQuotes(panel.x.label) +
                     " should begin at 0 and contain all bars; the bar of " +
                     inQuotes(bar.name) + " has " + fixedText(bar.share.percent(), 1) +
                     " %");
}

double placeOf(const FigureAxis& axis, double value) {
  return axis.scale == FigureScale::Logarithmic ? std::log(value) : value;
}

struct Places {
  double low, high;
};
constexpr Places kEverywhere{-HUGE_VAL, HUGE_VAL};

Places limitsOf(const FigureAxis& axis) {
  if (!axis.limits) return kEverywhere;
  return {placeOf(axis, axis.limits->low), placeOf(axis, axis.limits->high)};
}

/// True if a point of the line from a to b is within the limits; a may equal b.
bool crosses(const std::array<double, 2>& a, const std::array<double, 2>& b, Places x,
             Places y) {
  const double low = std::max(std::min(a[0], b[0]), x.low);
  const double high = std::min(std::max(a[0], b[0]), x.high);
  if (!(low <= high)) return false;
  const auto heightAt = [&](double place) {
    if (place == a[0]) return a[1];
    if (place == b[0]) return b[1];
    const double t = (place - a[0]) / (b[0] - a[0]);
    return (1.0 - t) * a[1] + t * b[1];  // std::lerp of −∞ would be NaN
  };
  const auto [least, most] = a[0] == b[0] ? std::minmax({a[1], b[1]})
                                          : std::minmax({heightAt(low), heightAt(high)});
  return least <= y.high && most >= y.low;
}

bool hasNumbers(const FigureCurve& curve) {
  return std::ranges::any_of(curve.y, [](double y) { return std::isfinite(y); });
}

/// True if the curve has finite values, but no point and no line between two neighbours
/// is within the limits of its axes. Exact zeros on a logarithmic axis are drawn whatever
/// the limits of this axis.
bool isOutside(const FigurePanel& panel, const FigureCurve& curve) {
  const FigureAxis& y = curve.onRight && panel.right ? *panel.right : panel.y;
  if (!panel.x.limits && !y.limits) return false;
  const bool drawsZeros = hasZeros(panel, curve);
  const auto pointAt = [&](std::size_t i) {
    return std::array{placeOf(panel.x, curve.x[i]), placeOf(y, curve.y[i])};
  };
  const Places xLimits = limitsOf(panel.x), yLimits = limitsOf(y);
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!std::isfinite(curve.y[i])) continue;
    const auto point = pointAt(i);
    const bool isZero = drawsZeros && curve.y[i] == 0.0;
    if (crosses(point, point, xLimits, isZero ? kEverywhere : yLimits)) return false;
    const bool hasLine = i + 1 < curve.x.size() && std::isfinite(curve.y[i + 1]);
    if (hasLine && crosses(point, pointAt(i + 1), xLimits, yLimits)) return false;
  }
  return hasNumbers(curve);
}

/// Refuses limits that would leave a panel of curves empty.
void requireValues(const FigurePanel& panel) {
  bool hasValues = false;
  for (const FigureCurve& curve : panel.curves) {
    if (!hasNumbers(curve)) continue;
    if (!isOutside(panel, curve)) return;
    hasValues = true;
  }
  if (!hasValues) return;
  const FigureAxis& axis = panel.y.limits ? panel.y : panel.x;
  throw badInput("no value of a curve is within the limits of the axes " +
                 inQuotes(panel.x.label) + " and " + inQuotes(panel.y.label) +
                 "; choose other limits of " + inQuotes(axis.label));
}

/// Adds the names of the curves outside the limits to the caption, because the legend
/// still has these curves.
void mentionCurvesOutside(Figure& figure) {
  std::vector<std::string> names;
  for (const FigurePanel& panel : figure.panels)
    for (const FigureCurve& curve : panel.curves)
      if (const std::string name = "“" + curve.name + "”";
          isOutside(panel, curve) && std::ranges::find(names, name) == names.end())
        names.push_back(name);
  if (!names.empty() && !figure.caption.empty())
    figure.caption +=
        " Outside the limits of the axes of a panel: " + joined(names) + ".";
}

/// Removes the sentence kOtherRanges from the caption if the sentence is no longer true.
void correctRanges(Figure& figure) {
  const std::string sentence = std::string(kOtherRanges) + " ";
  const std::size_t at = figure.caption.find(sentence);
  if (at != std::string::npos && !haveOtherRanges(figure))
    figure.caption.erase(at, sentence.size());
}

/// "x (step), y (L∞ of the logits)", each once.
std::string listOf(const std::vector<NamedAxis>& axes) {
  std::vector<std::string> words;
  for (const auto& [word, axis] : axes) {
    std::string text = std::string(word) + " (" + axis->label + ")";
    if (std::ranges::find(words, text) == words.end()) words.push_back(std::move(text));
  }
  return joined(words);
}

void requireLogarithmic(const FigureAxis& axis, const FigureRange& range) {
  const std::string beginning =
      "the axis " + inQuotes(axis.label) + " is logarithmic, but its limits ";
  if (range.low <= 0.0)
    throw badInput(beginning + "begin at " + shortText(range.low, 6) +
                   "; give a lower limit above 0");
  if (range.low < kLeastLogarithmic || range.high > kMostLogarithmic)
    throw badInput(beginning + "are " + shortText(range.low, 6) + " and " +
                   shortText(range.high, 6) + "; give limits between " +
                   shortText(kLeastLogarithmic, 6) + " and " +
                   shortText(kMostLogarithmic, 6));
}

}  // namespace

std::vector<AxisLimits> parseAxisLimits(std::string_view text) {
  std::vector<AxisLimits> all;
  if (trimmed(text).empty()) return all;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    all.push_back(parsePart(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return all;
}

void setLimits(Figure& figure, const std::vector<AxisLimits>& limits) {
  const std::vector<NamedAxis> axes = axesOf(figure);
  for (const auto& [name, range] : limits) {
    const std::string wanted = typed(name);
    if (wanted.empty()) throw badInput(inQuotes(name) + " names no axis");
    const bool isWord = wanted == "x" || wanted == "y" || wanted == "right";
    bool found = false;
    for (const auto& [word, axis] : axes) {
      if (isWord ? word != wanted : !typed(axis->label).starts_with(wanted)) continue;
      found = true;
      if (axis->scale == FigureScale::Logarithmic) requireLogarithmic(*axis, range);
      axis->limits = range;
    }
    if (found) continue;
    throw badInput("no axis of this figure is called " + inQuotes(name) +
                   (axes.empty() ? "; its axes have no limits to choose"
                                 : "; its axes are " + listOf(axes)));
  }
  if (limits.empty()) return;
  std::ranges::for_each(figure.panels, requireAllRows);
  std::ranges::for_each(figure.panels, requireValues);
  correctRanges(figure);
  mentionCurvesOutside(figure);
}

}  // namespace equipatch
