// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/page_run.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/figure/run_places.h"
#include "core/record/run_catalogue.h"

namespace equipatch {
namespace {

/// @throws Error{Cancelled} on a stop request
void reportRead(std::int64_t step, std::int64_t count, const std::filesystem::path& file,
                Progress& progress) {
  progress.throwIfStopped();
  progress.report(double(step) / double(count), "Reading " + file.filename().string());
}

/// Why the step after `run.steps` cannot be read from the run's file; empty if it can be
/// read or the file ends there.
std::string damageOf(const FigureRun& run) {
  try {
    const RunFile file(run.file);
    const std::int64_t next = std::ssize(run.steps);
    if (next < file.stepCount())
      static_cast<void>(file.step(StepIndex(next), FactorDetail::Omit));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// See PageRun::stored.
DeltaSize storedSize(const FigureRun& run, Progress& progress) {
  const auto lacks = [](const auto& step) { return lacksDelta(*step); };
  DeltaSize size;
  if (!run.header->closesWithScale || std::ranges::none_of(run.steps, lacks)) return size;
  const RunFile file(run.file);
  const std::int64_t count = file.stepCount();
  for (const auto& step : run.steps) {
    reportRead(std::int64_t(&step - run.steps.data()), std::ssize(run.steps), run.file,
               progress);
    if (lacksDelta(*step) && step->step.value < count)
      size.include(*file.step(step->step, FactorDetail::Omit));
  }
  return size;
}

}  // namespace

void DeltaSize::include(const StepRecord& step) {
  std::size_t channels = 0;
  for (const LayerRecord& layer : step.layers)
    channels = std::max(channels, layer.scaleDelta.size());
  if (channels == 0) return;
  width = std::max(width, int(channels));
  layers = std::max(layers, int(step.layers.size()));
}

bool lacksDelta(const StepRecord& step) {
  return std::ranges::any_of(
      step.layers, [](const LayerRecord& layer) { return layer.scaleDelta.empty(); });
}

PageRun readPageRun(const std::filesystem::path& path, Progress& progress) {
  DeltaSize deltas;
  StoredRun read = readRun(path, progress, [&](const auto& step) {
    deltas.include(*step);
    return withoutVectors(*step);
  });
  return {.run = {.name = {},
                  .header = std::move(read.header),
                  .steps = std::move(read.steps),
                  .file = path},
          .ending = read.ending,
          .damage = std::move(read.damage),
          .labels = labelsIn(path),
          .stored = deltas};
}

PageRun pageRunOf(FigureRun run, RunEnding ending, Progress& progress) {
  PageRun page{.run = std::move(run), .ending = ending};
  if (page.run.file.empty() || !isFile(page.run.file)) return page;
  const CatalogueRun recorded = readCatalogueRun(page.run.file);
  if (!recorded.header) {
    page.unread = recorded.problem;
    return page;
  }
  page.ending = recorded.ending;
  page.labels = recorded.labels;
  page.damage = damageOf(page.run);
  page.stored = storedSize(page.run, progress);
  return page;
}

void alignBranches(std::vector<PageRun>& runs) {
  std::vector<FigureRun> figures;
  for (const PageRun& run : runs) figures.push_back(run.run);
  alignBranches(figures);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].run.begins = figures[i].begins;
}

}  // namespace equipatch
