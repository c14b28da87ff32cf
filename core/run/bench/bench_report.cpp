#include "core/run/bench/bench_report.h"

#include <algorithm>
#include <stdexcept>

namespace equipatch {

const Timing& BenchReport::timing(const std::string& name) const {
  const auto found = std::find_if(timings.begin(), timings.end(),
                                  [&](const Timing& one) { return one.name == name; });
  if (found == timings.end()) throw std::out_of_range(name);
  return *found;
}

}  // namespace equipatch
