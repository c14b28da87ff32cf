// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/panel_data.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "core/base/strings.h"
#include "core/figure/layer_panels.h"
#include "core/figure/panel_range.h"
#include "core/figure/panel_sentence.h"
#include "core/figure/step_panels.h"

namespace equipatch {
namespace {

const char* lookName(FigureCurve::Look look) {
  using Look = FigureCurve::Look;
  switch (look) {
    case Look::Numbered:
      return "numbered";
    case Look::Patched:
      return "patched";
    case Look::Distribution:
      return "distribution";
    case Look::Probability:
      return "probability";
    case Look::Bare:
      return "bare";
    case Look::Ablated:
      return "ablated";
    case Look::Margin:
      return "margin";
    case Look::Noise:
      return "noise";
    case Look::Audit:
      return "audit";
    case Look::Reference:
      break;
  }
  return "reference";
}

PageObject lookOf(const FigureCurve& curve) {
  PageObject object{{"name", pageText(curve.name)}, {"look", lookName(curve.look)}};
  if (curve.look == FigureCurve::Look::Numbered) object["style"] = curve.style;
  if (curve.dense) object["dense"] = true;
  return object;
}

PageObject rangeData(const FigurePanel& panel) {
  const FigureRange range = valueRange(panel);
  return {pageNumber(range.low), pageNumber(range.high)};
}

const char* signName(FigureMarks::Sign sign) {
  return sign == FigureMarks::Sign::Mismatch ? "mismatch" : "sampled";
}

/// Panels by layer of all steps, which have the same axes and curves.
PageObject panelsByStep(const FigureRun& run,
                        const std::function<FigurePanel(StepIndex)>& panelOf,
                        std::string (*sentenceOf)(const FigurePanel&)) {
  PageObject object, steps = PageObject::array();
  for (std::size_t step = 0; step < run.steps.size(); ++step) {
    const FigurePanel panel = panelOf(StepIndex(static_cast<std::int64_t>(step)));
    PageObject values = PageObject::array();
    for (const FigureCurve& curve : panel.curves) values.push_back(pageNumbers(curve.y));
    steps.push_back({{"range", rangeData(panel)},
                     {"y", std::move(values)},
                     {"said", pageText(sentenceOf(panel))}});
    if (step > 0) continue;
    object["label"] = panel.y.label;
    for (const FigureCurve& curve : panel.curves)
      object["curves"].push_back(lookOf(curve));
  }
  object["steps"] = std::move(steps);
  return object;
}

/// Float32, little-endian, row after row.
std::string bytesOf(const HeatGrid& grid) {
  std::string bytes;
  bytes.reserve(std::size_t(grid.rows()) * std::size_t(grid.columns()) * sizeof(float));
  for (int row = 0; row < grid.rows(); ++row)
    for (int column = 0; column < grid.columns(); ++column) {
      const auto bits = std::bit_cast<std::uint32_t>(grid.at(row, column));
      for (int shift = 0; shift < 32; shift += 8)
        bytes += static_cast<char>(bits >> shift & 0xFF);
    }
  return bytes;
}

}  // namespace

PageObject stepPanelData(const FigureRun& run) {
  FigurePanel panel = logitPanel(*run.header);
  for (const auto& step : run.steps) addStep(*step, panel);
  PageObject object{{"label", panel.y.label}, {"range", rangeData(panel)}};
  for (const FigureCurve& curve : panel.curves) {
    PageObject one = lookOf(curve);
    one["x"] = curve.x;
    one["y"] = pageNumbers(curve.y);
    object["curves"].push_back(std::move(one));
  }
  for (const FigureMarks& marks : panel.marks)
    object["marks"].push_back({{"sign", signName(marks.sign)},
                               {"name", marks.name},
                               {"x", marks.x},
                               {"y", pageNumbers(marks.y)}});
  return object;
}

PageObject patchSizeData(const FigureRun& run, PatchMeasure measure) {
  const auto panelOf = [&](StepIndex step) {
    return patchNormPanel(run, {.step = step, .measure = measure});
  };
  return panelsByStep(run, panelOf, patchSizeSentence);
}

PageObject hiddenErrorData(const FigureRun& run) {
  std::vector<FigureRun> alone{run};
  alone.front().name.clear();  // the curve is called "hidden error"
  const std::vector<FigureCurve> floors = errorFloors(alone);
  const auto panelOf = [&](StepIndex step) {
    return layerErrorPanel(alone, {.step = step}, floors);
  };
  return panelsByStep(run, panelOf, hiddenErrorSentence);
}

PageObject scaleMapData(const FigureRun& run, int bins) {
  if (!run.header->closesWithScale) return nullptr;
  PageObject object, steps = PageObject::array();
  int width = 0, cells = 0, layers = 0;
  const std::optional<double> largest = largestScaleDelta(run.steps);
  for (std::size_t step = 0; step < run.steps.size(); ++step) {
    const FigurePanel panel =
        scaleMapPanel(run, StepIndex(static_cast<std::int64_t>(step)), largest);
    const HeatGrid& grid = panel.map->grid;
    width = std::max(width, grid.columns());
    const PooledGrid pooled = pool(grid, 0, grid.columns(), bins);
    cells = std::max(cells, pooled.grid.columns());
    layers = std::max(layers, pooled.grid.rows());
    steps.push_back({{"cells", encodeBase64(bytesOf(pooled.grid))},
                     {"said", pageText(grid.empty() ? "" : mapSentence(panel))}});
    if (step == 0) object["label"] = panel.map->label;
  }
  object["largest"] = pageNumber(largest.value_or(1.0));
  object["width"] = width;
  object["bins"] = cells;
  object["layers"] = layers;
  object["steps"] = std::move(steps);
  return object;
}

int mapBins(const std::vector<FigureRun>& runs) {
  std::int64_t rows = 0, width = 1;
  for (const FigureRun& run : runs) {
    if (!run.header->closesWithScale) continue;
    for (const auto& step : run.steps) rows += std::ssize(step->layers);
    width = std::max(width, run.header->width);
  }
  const std::int64_t most = rows == 0 ? width : kMostMapCells / rows;
  return static_cast<int>(std::clamp(most, std::int64_t{kFewestMapBins},
                                     std::max<std::int64_t>(width, kFewestMapBins)));
}

}  // namespace equipatch
