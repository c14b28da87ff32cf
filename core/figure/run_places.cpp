// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/run_places.h"

#include <algorithm>
#include <map>

#include "core/record/branch.h"

namespace equipatch {

void alignBranches(std::vector<FigureRun>& runs, const std::vector<FigureRun>& known) {
  std::vector<PlacedRun> all;
  for (const auto* part : {&std::as_const(runs), &known})
    for (const FigureRun& run : *part) all.push_back({run.header.get(), &run.steps});
  const std::vector<RunPlace> places = placesOf(all);
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
