// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_kind.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/figure/figure_caption.h"
#include "core/figure/figure_json.h"
#include "core/figure/panel_range.h"
#include "core/figure/run_names.h"
#include "core/figure/run_places.h"
#include "core/record/run_catalogue.h"
#include "core/record/step_record.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_plan.h"

namespace equipatch {
namespace {

void addPanels(Figure&& part, Figure& whole) {
  whole.panels.insert(whole.panels.end(), std::make_move_iterator(part.panels.begin()),
                      std::make_move_iterator(part.panels.end()));
}

namespace fs = std::filesystem;

constexpr std::array<std::pair<FigureKind, std::string_view>, kFigureKinds> kNames = {
    {{FigureKind::ByToken, "generation"},
     {FigureKind::Accuracy, "accuracy"},
     {FigureKind::PatchNorms, "patch-norms"},
     {FigureKind::ScaleHeatmap, "scale-heatmap"},
     {FigureKind::LayerError, "layer-error"},
     {FigureKind::Overview, "overview"},
     {FigureKind::Image, "image"},
     {FigureKind::Effect, "effect"}}};

Figure draw(FigureKind kind, const std::vector<FigureRun>& runs,
            const FigureChoice& choice) {
  switch (kind) {
    case FigureKind::ByToken:
      return generationFigure(runs, choice);
    case FigureKind::Accuracy:
      return accuracyFigure(runs);
    case FigureKind::PatchNorms:
      return patchNormFigure(runs, choice);
    case FigureKind::ScaleHeatmap:
      return scaleHeatmapFigure(runs, choice);
    case FigureKind::LayerError:
      return layerErrorFigure(runs, choice);
    case FigureKind::Overview:
      return overviewFigure(runs, choice);
    case FigureKind::Image:
      return imageFigure(runs);
    case FigureKind::Effect:
      return effectFigure(runs);
  }
  return {};
}

/// Refuses an empty panel, because it would look like a result.
void requireValues(const Figure& figure) {
  for (const FigurePanel& panel : figure.panels)
    if (!hasValues(panel))
      throw badInput("the figure " + inQuotes(figure.kind) + ": its panel " +
                     inQuotes(panel.title.empty() ? panel.y.label : panel.title) +
                     " has no values in these runs; choose another figure, step or run");
}

/// The file names of a sweep's cells, numbered in the order of its grid; empty unless the
/// folder has a plan that this program can read.
std::map<fs::path, std::size_t> placesInSweep(const fs::path& folder) {
  std::map<fs::path, std::size_t> places;
  if (isSweepFolder(folder)) try {
      for (const SweepCell& cell : cellsOf(readSweepPlan(folder)))
        places.emplace(cell.fileName(), places.size());
    } catch (const Error&) {  // runs can be drawn in any order
    }
  return places;
}

std::vector<fs::path> filesIn(const fs::path& path) {
  if (!isFolder(path)) return {path};
  std::vector<fs::path> files = runFilesIn(path);
  if (files.empty())
    throw badInput(path.string() +
                   ": expected run files (.eqrun) in the folder, found none");
  std::ranges::sort(files);
  const std::map<fs::path, std::size_t> places = placesInSweep(path);
  std::ranges::stable_sort(files, {}, [&](const fs::path& file) {
    const auto place = places.find(file.filename());
    return place == places.end() ? places.size() : place->second;
  });
  return files;
}

/// Reads a run, without the steps' vectors unless the figure shows them.
FigureRun readOne(const fs::path& path, FigureKind kind, Progress& progress) {
  const bool showsVectors =
      kind == FigureKind::ScaleHeatmap || kind == FigureKind::Overview;
  StoredRun stored = readRun(path, progress, [&](auto step) {
    return showsVectors ? step : withoutVectors(*step);
  });
  if (stored.steps.empty())
    throw badInput(path.string() +
                   " holds no finished step, so there is nothing to draw" +
                   (stored.damage.empty() ? "" : " (" + stored.damage + ")"));
  return figureRunOf(std::move(stored), path);
}

}  // namespace

Figure overviewFigure(const std::vector<FigureRun>& runs, const FigureChoice& choice) {
  Figure figure{
      .kind = "overview", .title = "A prompt's effect as a patch", .columns = 2};
  std::vector<FigureRun> first = {runs.front()};
  if (runs.size() == 1) first.front().name.clear();  // headings need no name
  const auto has = [&](OverviewPart part) {
    return choice.parts.empty() || std::ranges::count(choice.parts, part) > 0;
  };
  if (has(OverviewPart::Tokens)) addPanels(generationFigure(runs, choice), figure);
  if (has(OverviewPart::PatchSizes)) addPanels(patchNormFigure(first, choice), figure);
  if (has(OverviewPart::HiddenErrors)) addPanels(layerErrorFigure(runs, choice), figure);
  if (has(OverviewPart::ScaleMap) && runs.front().header->closesWithScale)
    addPanels(scaleHeatmapFigure(first, choice), figure);
  if (figure.panels.empty())
    throw badInput("the overview has none of the chosen panels; choose others");
  return figure;
}

FigureRun figureRunOf(StoredRun stored, const fs::path& path) {
  const std::string own = labelsIn(path).name;
  return {.name = own,
          .header = stored.header,
          .steps = std::move(stored.steps),
          .file = path,
          .own = own};
}

std::string_view name(FigureKind kind) {
  return std::ranges::find(kNames, kind, &decltype(kNames)::value_type::first)->second;
}

std::optional<FigureKind> figureKindFromName(std::string_view text) {
  const auto found =
      std::ranges::find(kNames, text, &decltype(kNames)::value_type::second);
  if (found == kNames.end()) return std::nullopt;
  return found->first;
}

bool isWide(FigureKind kind) {
  return kind == FigureKind::Accuracy || kind == FigureKind::Effect ||
         kind == FigureKind::Overview;
}

bool hasOption(FigureKind kind, FigureOption option) {
  const bool overview = kind == FigureKind::Overview;
  const bool map = overview || kind == FigureKind::ScaleHeatmap;
  switch (option) {
    case FigureOption::Step:
      return map || kind == FigureKind::PatchNorms || kind == FigureKind::LayerError;
    case FigureOption::Measure:
      return overview || kind == FigureKind::PatchNorms;
    case FigureOption::Grouping:
      return overview || kind == FigureKind::ByToken || kind == FigureKind::LayerError;
    case FigureOption::Spaces:
      return overview || kind == FigureKind::ByToken;
    case FigureOption::Parts:
      return overview;
    case FigureOption::MapStep:
    case FigureOption::MapColours:
    case FigureOption::MapLimit:
      return map;
    case FigureOption::Legend:  // rows and maps have their runs' names beside them
      return kind != FigureKind::Accuracy && kind != FigureKind::Effect &&
             kind != FigureKind::ScaleHeatmap;
  }
  return false;
}

std::string kindsWith(FigureOption option) {
  std::vector<std::string> kinds;
  for (const auto& [kind, word] : kNames)
    if (hasOption(kind, option)) kinds.emplace_back(word);
  std::string words;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const char* before = i == 0 ? "" : i + 1 == kinds.size() ? " or " : ", ";
    words += before + kinds[i];
  }
  return words;
}

Figure makeFigure(FigureKind kind, const std::vector<FigureRun>& runs,
                  const FigureChoice& choice) {
  const bool lacksSteps =
      std::ranges::any_of(runs, [](const FigureRun& run) { return run.steps.empty(); });
  if (runs.empty() || lacksSteps)
    throw badInput("a figure needs at least one run, and at least one step of each");
  Figure figure = draw(kind, runs, choice);
  requireValues(figure);
  const std::vector<FigureRun> drawn = runsIn(figure, runs);
  figure.provenance = provenanceJson(headersOf(drawn));
  figure.caption = captionOf(figure, drawn);
  return figure;
}

std::vector<FigureRun> readFigureRuns(const std::vector<fs::path>& paths, FigureKind kind,
                                      Progress& progress) {
  std::vector<fs::path> files;
  for (const fs::path& path : paths)
    std::ranges::copy(filesIn(path), std::back_inserter(files));
  std::vector<FigureRun> runs;
  for (const fs::path& file : files) {
    progress.throwIfStopped();
    auto part = PartialProgress::ofItem(progress, runs.size(), files.size());
    runs.push_back(readOne(file, kind, part));
  }
  nameRuns(runs);
  alignBranches(runs);
  return runs;
}

}  // namespace equipatch
