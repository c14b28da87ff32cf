#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace equipatch {

/// Learning rate over a training: rises in a line, falls along half a cosine.
struct Schedule {
  double peak = 3e-3;
  double final = 1e-4;
  std::int64_t warmUp = 300;  ///< steps
  std::int64_t steps = 0;     ///< of the whole training

  double rate(std::int64_t step) const {
    if (step < warmUp)
      return peak * static_cast<double>(step + 1) / static_cast<double>(warmUp);
    const double done = static_cast<double>(step - warmUp) /
                        static_cast<double>(std::max<std::int64_t>(1, steps - warmUp));
    return final +
           (peak - final) * 0.5 * (1 + std::cos(std::numbers::pi * std::min(1.0, done)));
  }
};

}  // namespace equipatch
