// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/panel_data.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <optional>

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

const char* symbolName(FigureMarks::Symbol symbol) {
  return symbol == FigureMarks::Symbol::Mismatch ? "mismatch" : "sampled";
}

/// Writes each step's panel by layer. The first step's panel gives the label of the y
/// axis and the looks of the curves for all steps.
void writePanels(const FigureRun& run,
                 const std::function<FigurePanel(StepIndex)>& panelOf,
                 std::string (*sentenceOf)(const FigurePanel&), PageWriter& writer) {
  writer.begin("{");
  for (std::size_t step = 0; step < run.steps.size(); ++step) {
    const FigurePanel panel = panelOf(StepIndex(static_cast<std::int64_t>(step)));
    if (step == 0) {
      writer.key("label");
      writer.value(panel.y.label);
      PageObject curves;
      for (const FigureCurve& curve : panel.curves) curves.push_back(lookOf(curve));
      if (!curves.is_null()) {
        writer.key("curves");
        writer.value(curves);
      }
      writer.key("steps");
      writer.begin("[");
    }
    PageObject values = PageObject::array();
    for (const FigureCurve& curve : panel.curves) values.push_back(pageNumbers(curve.y));
    writer.value({{"range", rangeData(panel)},
                  {"y", std::move(values)},
                  {"said", pageText(sentenceOf(panel))}});
    writer.stepWritten();
  }
  writer.end("]");
  writer.end("}");
}

/// The grid's cells as float32, little-endian, row after row.
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

/// The Δm of a run's steps: from memory, or from the run's file.
class Deltas {
 public:
  explicit Deltas(const PageRun& page) : m_size(page.stored) {
    for (const auto& step : page.run.steps) m_size.include(*step);
    if (page.stored.width == 0) return;
    m_file.emplace(page.run.file);
    m_count = m_file->stepCount();
  }

  DeltaSize size() const { return m_size; }  ///< the largest of all steps
  HeatGrid of(const StepRecord& step) const {
    const bool isStored = m_file && lacksDelta(step) && step.step.value < m_count;
    return scaleDeltaGrid(isStored ? *m_file->step(step.step, FactorDetail::Omit) : step);
  }

 private:
  std::optional<RunFile> m_file;  ///< empty if the file is not needed
  std::int64_t m_count = 0;       ///< RunFile::stepCount
  DeltaSize m_size;
};

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
    object["marks"].push_back({{"sign", symbolName(marks.symbol)},
                               {"name", marks.name},
                               {"x", marks.x},
                               {"y", pageNumbers(marks.y)}});
  return object;
}

void writePatchSizes(const FigureRun& run, PatchMeasure measure, PageWriter& writer) {
  const auto panelOf = [&](StepIndex step) {
    return patchNormPanel(run, {.step = step, .measure = measure});
  };
  writePanels(run, panelOf, patchSizeSentence, writer);
}

void writeHiddenErrors(const FigureRun& run, PageWriter& writer) {
  std::vector<FigureRun> alone{run};
  alone.front().name.clear();  // so that the curve is named "hidden error"
  const std::vector<FigureCurve> floors = errorFloors(alone);
  const auto panelOf = [&](StepIndex step) {
    return layerErrorPanel(alone, {.step = step}, floors);
  };
  writePanels(run, panelOf, hiddenErrorSentence, writer);
}

void writeScaleMap(const PageRun& page, int bins, PageWriter& writer) {
  const FigureRun& run = page.run;
  if (!run.header->closesWithScale) return writer.value(nullptr);
  const std::optional<double> largest = largestScaleDelta(run.steps);
  const Deltas deltas(page);
  const DeltaSize size = deltas.size();
  writer.begin("{");
  writer.members({{"label", scaleMapPanel(run, StepIndex(0), largest).map->label},
                  {"largest", pageNumber(largest.value_or(1.0))},
                  {"width", size.width},
                  {"bins", size.width == 0 ? 0 : std::min(size.width, std::max(bins, 1))},
                  {"layers", size.layers}});
  writer.key("steps");
  writer.begin("[");
  for (std::size_t step = 0; step < run.steps.size(); ++step) {
    FigurePanel panel =
        scaleMapPanel(run, StepIndex(static_cast<std::int64_t>(step)), largest);
    HeatGrid& grid = panel.map->grid;
    grid = deltas.of(*run.steps[step]);
    const PooledGrid pooled = pool(grid, 0, grid.columns(), bins);
    writer.value({{"cells", encodeBase64(bytesOf(pooled.grid))},
                  {"said", pageText(grid.empty() ? "" : mapSentence(panel))}});
    writer.stepWritten();
  }
  writer.end("]");
  writer.end("}");
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
