// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/progress.h"

#include <cstdint>

#include "core/base/error.h"

namespace equipatch {

void Progress::throwIfStopped() const {
  if (stopRequested()) throw Error(ErrorKind::Cancelled, "stopped on request");
}

namespace {

constexpr double kFirstSeconds = 2.0;      // the first steps are slower than later ones
constexpr double kLongestSeconds = 3.0e8;  // ten years

}  // namespace

std::optional<std::chrono::seconds> remainingTime(std::chrono::duration<double> elapsed,
                                                  double fraction) {
  if (!(fraction > 0.0) || fraction > 1.0 || elapsed.count() < kFirstSeconds)
    return std::nullopt;
  const double seconds = elapsed.count() * (1.0 - fraction) / fraction;
  if (seconds > kLongestSeconds) return std::nullopt;
  return std::chrono::seconds(static_cast<std::int64_t>(seconds + 0.5));
}

}  // namespace equipatch
