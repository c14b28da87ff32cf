// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/bench/bench_report.h"

#include <algorithm>
#include <stdexcept>

#include "core/base/progress.h"
#include "core/record/quantile.h"

namespace equipatch {

Spread Spread::of(const std::vector<double>& values) {
  return {quantile(values, 0.5), quantile(values, 0.1), quantile(values, 0.9)};
}

Spread ratioOf(const Timing& above, const Timing& below) {
  std::vector<double> ratios;
  const std::size_t rounds =
      std::min(above.milliseconds.size(), below.milliseconds.size());
  for (std::size_t round = 0; round < rounds; ++round)
    ratios.push_back(above.milliseconds[round] / below.milliseconds[round]);
  return Spread::of(ratios);
}

std::vector<Timing> timeInTurn(const std::vector<Timed>& things, int rounds,
                               Progress& progress) {
  std::vector<Timing> timings;
  for (const Timed& thing : things) timings.push_back({thing.name, {}});
  for (int round = 0; round <= rounds; ++round)
    for (std::size_t index = 0; index < things.size(); ++index) {
      progress.throwIfStopped();
      if (things[index].prepare) things[index].prepare();
      const Stopwatch watch;
      things[index].work();
      if (round > 0) timings[index].milliseconds.push_back(watch.milliseconds());
    }
  return timings;
}

const Timing& BenchReport::timing(const std::string& name) const {
  const auto found = std::find_if(timings.begin(), timings.end(),
                                  [&](const Timing& one) { return one.name == name; });
  if (found == timings.end()) throw std::out_of_range(name);
  return *found;
}

}  // namespace equipatch
