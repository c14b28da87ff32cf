// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/run_places.h"

#include <algorithm>
#include <map>

namespace equipatch {

std::vector<PlacedRun> placedRuns(const std::vector<FigureRun>& runs,
                                  const std::vector<FigureRun>& known) {
  std::vector<PlacedRun> placed;
  for (const auto* part : {&runs, &known})
    for (const FigureRun& run : *part)
      placed.push_back({run.header.get(), &run.steps, run.file.filename().string()});
  return placed;
}

void alignBranches(std::vector<FigureRun>& runs, const std::vector<FigureRun>& known) {
  const std::vector<RunPlace> places = placesOf(placedRuns(runs, known));
  std::map<std::size_t, std::int64_t> earliest;  // by root
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto [first, isNew] = earliest.try_emplace(places[run].root, places[run].step);
    first->second = std::min(first->second, places[run].step);
  }
  for (std::size_t run = 0; run < runs.size(); ++run)
    runs[run].begins = places[run].step - earliest[places[run].root];
}

bool hasBranches(const std::vector<FigureRun>& runs) {
  return std::ranges::any_of(runs, [](const FigureRun& run) { return run.begins > 0; });
}

}  // namespace equipatch
