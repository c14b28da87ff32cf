// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/panel_sentence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <string_view>

#include "core/base/number_format.h"
#include "core/base/number_ranges.h"
#include "core/base/strings.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

struct LargestPart {
  double layer = 0.0;
  double size = 0.0;
  std::string name;
};

/// The largest part of one kind in each layer. Ignores sizes that are not finite.
/// @param kind the beginning of the parts' names
std::vector<LargestPart> largestParts(const FigurePanel& panel, std::string_view kind) {
  std::map<std::size_t, LargestPart> parts;  // by layer
  for (const FigureCurve& curve : panel.curves) {
    if (!curve.name.starts_with(kind)) continue;
    for (std::size_t layer = 0; layer < curve.y.size(); ++layer) {
      const LargestPart part{curve.x[layer], curve.y[layer], curve.name};
      if (!std::isfinite(part.size)) continue;
      const auto there = parts.try_emplace(layer, part).first;
      if (part.size > there->second.size) there->second = part;
    }
  }
  const auto sizes = std::views::values(parts);
  return {sizes.begin(), sizes.end()};
}

/// The layers in which every part of the patch is exactly 0. Ignores NaN, the size of a
/// part that a layer lacks.
std::vector<std::string> unpatchedLayers(const FigurePanel& panel) {
  std::map<double, bool> isZero;  // by layer
  for (const FigureCurve& curve : panel.curves)
    for (std::size_t i = 0; i < curve.y.size(); ++i)
      if (!std::isnan(curve.y[i])) {
        bool& zero = isZero.try_emplace(curve.x[i], true).first->second;
        zero = zero && curve.y[i] == 0.0;
      }
  std::vector<std::string> layers;
  for (const auto& [layer, zero] : isZero)
    if (zero) layers.push_back(typographicText(layer));
  return layers;
}

std::string atLayer(double layer) {
  return "layer " + typographicText(layer);
}

/// The part's name without its kind, and its size: "gate 3.1" for a "ΔW gate" of 3.1.
std::string partText(const LargestPart& part, std::string_view kind) {
  const std::string own = part.name.substr(std::min(kind.size() + 1, part.name.size()));
  return (own.empty() ? "" : own + " ") + typographicText(part.size);
}

/// "Not finite after layers 5–7.", or nothing.
std::string notFiniteSentence(const FigureCurve& error) {
  std::vector<std::int64_t> layers;
  for (std::size_t i = 0; i < error.y.size(); ++i)
    if (!std::isfinite(error.y[i]))
      layers.push_back(static_cast<std::int64_t>(error.x[i]));
  if (layers.empty()) return {};
  return std::string("Not finite after ") + (layers.size() == 1 ? "layer " : "layers ") +
         numberRangesText(layers) + ".";
}

}  // namespace

MarginState marginState(const StepRecord& record) {
  const double linf = record.patchedDistance.linf;
  const bool canChange = !(record.margin > 2.0 * linf);  // also if L∞ is NaN
  if (!record.match)
    return canChange ? MarginState::Explained : MarginState::Contradiction;
  if (linf == 0.0) return MarginState::Exact;
  return canChange ? MarginState::Lucky : MarginState::Safe;
}

std::string marginSentence(const StepRecord& record) {
  if (!std::isfinite(record.patchedDistance.linf))
    return std::string(record.match ? "Match, although" : "Mismatch:") +
           " the patched pass has logits that are not finite.";
  const std::string linf = "L∞ " + typographicText(record.patchedDistance.linf);
  const std::string margin = "margin of " + typographicText(record.margin);
  const bool equals = record.margin == 2.0 * record.patchedDistance.linf;
  const std::string reaches = equals ? " equals half the " : " exceeds half the ";
  switch (marginState(record)) {
    case MarginState::Exact:
      return "Match. No logit differs.";
    case MarginState::Safe:
      return "Match. " + linf + " is below half the " + margin +
             ": it cannot change the choice.";
    case MarginState::Lucky:
      return "Match, but only just: " + linf + reaches + margin + ".";
    case MarginState::Explained:
      return "Mismatch: " + linf + reaches + margin + ", so it can change the choice.";
    case MarginState::Contradiction:
      break;
  }
  return "Mismatch, although " + linf + " is below half the " + margin +
         ": the record contradicts itself.";
}

std::string logitSentence(const StepRecord& step) {
  const double linf = step.patchedDistance.linf;
  const bool isOff = std::isfinite(linf) && linf != 0.0;
  std::string text = !std::isfinite(linf)
                         ? "The patched pass has logits that are not finite"
                     : linf == 0.0 ? "Both passes' logits are the same numbers"
                                   : "Off by " + typographicText(linf) + " at most";
  if (step.bareDistance)
    text += std::string("; without the patch ") + (isOff ? "by " : "off by ") +
            typographicText(step.bareDistance->linf);
  text += ".";
  // With logits that are not finite, a step is a mismatch even if the tokens are equal.
  if (!step.match && !step.contextual.empty() && !step.patched.empty() &&
      step.patched.front().id != step.contextual.front().id) {
    const auto tokens =
        quotedTokens({step.patched.front().text, step.contextual.front().text});
    text += " ✗ " + tokens[0] + " instead of " + tokens[1] + ".";
  }
  return text;
}

/// Treats each kind separately, because norms of ΔW, Δm and Δb are not comparable.
std::string patchSizeSentence(const FigurePanel& panel) {
  std::string text;
  bool isZero = false;
  for (const std::string_view kind : {"ΔW", "Δm", "Δb"}) {
    const std::vector<LargestPart> parts = largestParts(panel, kind);
    if (parts.empty()) continue;
    const auto most = std::ranges::max_element(parts, {}, &LargestPart::size);
    isZero = most->size == 0.0;
    if (isZero) continue;
    text += text.empty() ? std::string(kind) + " is largest in "
                         : "; " + std::string(kind) + " in ";
    text += atLayer(most->layer) + ": " + partText(*most, kind);
  }
  if (text.empty())
    return isZero ? "The patch changes nothing: no context is absorbed here, or nothing "
                    "of it reaches this token."
                  : "";
  text += ".";
  const std::vector<std::string> none = unpatchedLayers(panel);
  if (!none.empty())
    text +=
        " Exactly 0 in " + std::string(none.size() == 1 ? "layer " : "layers ") +
        joined(none) +
        ": rounding leaves nothing of the absorbed tokens' effect there, or the layer's "
        "attention window begins after them.";
  return text;
}

std::string mapSentence(const FigurePanel& panel, const std::optional<int>& column) {
  if (!panel.map || panel.map->grid.empty()) return {};
  const FigureMap& map = *panel.map;
  const int columns = map.grid.columns();
  if (column && (*column < 0 || *column >= columns)) return {};
  int layer = -1;
  int place = 0;
  float largest = 0.0f;
  bool hasNumbers = false;
  for (int x = column.value_or(0); x < (column ? *column + 1 : columns); ++x)
    for (int y = 0; y < map.grid.rows(); ++y) {
      const float size = std::abs(map.grid.at(y, x));
      hasNumbers = hasNumbers || !std::isnan(size);
      if (!(size > largest)) continue;
      largest = size;
      layer = y;
      place = x;
    }
  if (!hasNumbers) return {};
  if (layer < 0)
    return column ? "At " + panel.x.label + " " + typographicText(map.x.at(*column)) +
                        ", " + map.label + " is zero in every layer."
                  : map.label + " is zero everywhere.";
  const std::string at = panel.x.label + " " + typographicText(map.x.at(place));
  const std::string where = " is largest in " + atLayer(map.y.at(layer));
  const std::string value =
      ": " + typographicText(static_cast<double>(map.grid.at(layer, place))) + ".";
  return column ? "At " + at + ", " + map.label + where + value
                : map.label + where + ", " + at + value;
}

std::string hiddenErrorSentence(const FigurePanel& panel) {
  if (panel.curves.size() < 2) return {};
  const FigureCurve& error = panel.curves.front();
  const FigureCurve& floor = panel.curves.back();
  std::optional<std::size_t> most;
  for (std::size_t layer = 0; layer < error.y.size(); ++layer)
    if (std::isfinite(error.y[layer]) && (!most || error.y[layer] > error.y[*most]))
      most = layer;
  const std::string broken = notFiniteSentence(error);
  if (!most) return broken;
  const double largest = error.y[*most];
  if (largest == 0.0)
    return broken +
           (broken.empty() ? "Every layer's output equals"
                           : " All other layers' outputs equal") +
           " the contextual pass's bit for bit.";
  std::string text = broken + (broken.empty() ? "Off by " : " Otherwise off by ") +
                     typographicText(largest) + " at most, after " +
                     atLayer(error.x[*most]);
  if (*most < floor.y.size())
    text += std::string("; ") + (largest <= floor.y[*most] ? "below" : "above") +
            (floor.name.starts_with("ε") ? " " : " the ") +
            floor.name.substr(0, floor.name.find(',')) + ", " +
            typographicText(floor.y[*most]);
  return text + ".";
}

}  // namespace equipatch
