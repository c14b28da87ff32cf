// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/tex/tex_ticks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/number_format.h"
#include "core/figure/log_ticks.h"
#include "core/figure/panel_range.h"
#include "core/figure/tex/tex_plots.h"
#include "core/text/tex_text.h"

namespace equipatch {
namespace {

/// @param width of the axis, points
std::string nameTicks(const FigureAxis& axis, double width) {
  if (axis.names.empty()) return "";
  const std::size_t every = std::max<std::size_t>(
      1, static_cast<std::size_t>(
             std::ceil(kTexScriptLine * static_cast<double>(axis.names.size()) / width)));
  std::string places;
  std::string labels;
  for (std::size_t i = 0; i < axis.names.size(); i += every) {
    places += (i ? "," : "") + std::to_string(i);
    labels += (i ? "," : "") + ("{" + texText(axis.names[i]) + "}");
  }
  return ", xtick={" + places + "}, xticklabels={" + labels +
         "}, x tick label style={rotate=90, anchor=east, font=\\scriptsize}";
}

std::string markedTicks(char name, const FigureAxis& axis) {
  if (axis.marked.empty()) return "";
  const std::string extra = std::string(", extra ") + name + " tick";
  std::string places;
  for (const std::int64_t place : axis.marked)
    places += (places.empty() ? "" : ",") + std::to_string(place);
  return extra + "s={" + places + "}" + extra + " labels={}" + extra +
         " style={grid=none, tick align=outside, major tick length=4pt, tick "
         "style={black, line width=1.6pt}}";
}

enum class Labels { Plain, Powers };

/// "$10^{-3}$", "$2\cdot10^{-3}$", "0.5"
std::string logLabel(double tick, Labels labels) {
  const int exponent = static_cast<int>(std::floor(std::log10(tick) + 1e-9));
  const auto digit = std::lround(tick / std::pow(10.0, exponent));
  if (labels == Labels::Plain || (digit == 1 && (exponent == 0 || exponent == 1)))
    return texNumber(tick);
  return "$" + (digit == 1 ? "" : std::to_string(digit) + "\\cdot") + "10^{" +
         std::to_string(exponent) + "}$";
}

std::string valueLabel(double value) {
  const double power = std::pow(10.0, std::round(std::log10(value)));
  return std::abs(value / power - 1.0) < 1e-9 ? logLabel(value, Labels::Powers)
                                              : texText(typographicTick(value));
}

/// @param labels the number of labels that have room
/// @param zeros true: adds a tick with the label 0, and leaves out ticks whose labels
/// would overlap this label
/// @param zero the place of exact zeros
std::string texLogTicks(char axis, const FigureRange& range, double labels, bool zeros,
                        double zero) {
  constexpr double kLeastPlain = 1e-3, kMostPlain = 1e4;  // as in ui/chart/axes.cpp
  const Labels kind = range.low >= kLeastPlain && range.high < kMostPlain
                          ? Labels::Plain
                          : Labels::Powers;
  const double low = zeros ? firstPlaceAboveZero(range, labels) : range.low;
  std::string places, words;
  const LogTicks ticks = logTicks({low, range.high}, labels);
  for (const double tick : ticks.values) {
    places += (places.empty() ? "" : ",") + texNumber(tick);
    words += (words.empty() ? "" : ",") +
             (ticks.digits > 1 ? texText(typographicText(tick, ticks.digits))
                               : logLabel(tick, kind));
  }
  const std::string name(1, axis);
  std::string text =
      ", " + name + "tick={" + places + "}, " + name + "ticklabels={" + words + "}";
  if (zeros)
    text += ", extra " + name + " ticks={" + texNumber(zero) + "}, extra " + name +
            " tick labels={0}";
  return text;
}

std::string logOptions(const FigurePanel& panel, const TexAxes& axes) {
  constexpr double kLabelWidth = 30.0, kLabelHeight = 15.0;
  const bool zeros = hasZeros(panel);
  std::string text;
  if (panel.x.scale == FigureScale::Logarithmic)
    text += ", xmode=log" + texLogTicks('x', keyRange(panel), axes.width / kLabelWidth,
                                        zeros && panel.hasRows(), texZero(panel));
  if (panel.y.scale == FigureScale::Logarithmic)
    text +=
        ", ymode=log" + texLogTicks('y', valueRange(panel), axes.height / kLabelHeight,
                                    zeros && !panel.hasRows(), texZero(panel));
  return text;
}

}  // namespace

std::string texTicks(const FigurePanel& panel, const TexAxes& axes) {
  return nameTicks(panel.x, axes.width) + markedTicks('x', panel.x) +
         markedTicks('y', panel.y) + logOptions(panel, axes);
}

std::string texColourTicks(const FigureMap& map) {
  constexpr double kApart = 0.45;  // least distance between the places of labels
  const std::vector<ColourTick> all = colourTicks(map);
  std::string places, labels;
  for (const ColourTick& tick : all) {
    const auto covers = [&tick](const ColourTick& other) {
      return std::abs(other.value) > std::abs(tick.value) &&
             std::abs(other.place - tick.place) < kApart;
    };
    if (isSymmetricLog(map.colours) && std::ranges::any_of(all, covers)) continue;
    const std::string sign = tick.value < 0 ? "$-$" : "";
    const std::string size = tick.value == 0.0 ? "0" : valueLabel(std::abs(tick.value));
    const std::string cut = tick.value < 0 ? "$\\leq$ " : "$\\geq$ ";
    places += (places.empty() ? "" : ",") + texNumber(tick.place);
    labels += (labels.empty() ? "{" : ",{") + (tick.isCut ? cut : "") + sign + size + "}";
  }
  // By default pgfplots rounds to two digits, which can make neighbouring labels equal.
  if (places.empty()) return ", yticklabel style={/pgf/number format/precision=5}";
  return ", ytick={" + places + "}, yticklabels={" + labels + "}";
}

}  // namespace equipatch
