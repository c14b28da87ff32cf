// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/progress.h"

#include <algorithm>
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

void LayerProgress::passed(std::int64_t layers, std::int64_t all) {
  constexpr double kIntervalMilliseconds = 100.0;
  m_progress.throwIfStopped();
  if (const double now = m_watch.milliseconds(); now >= m_next) {
    if (m_next > 0.0) m_next = now + kIntervalMilliseconds;  // 0: report every layer
    const double pass = static_cast<double>(layers) / static_cast<double>(all);
    m_progress.report(
        std::min(1.0, (static_cast<double>(m_finished) + pass) /
                          static_cast<double>(m_passes)),
        m_label + ": layer " + std::to_string(layers) + " of " + std::to_string(all));
  }
  if (layers == all) ++m_finished;
}

std::optional<std::chrono::seconds> remainingTime(std::chrono::duration<double> elapsed,
                                                  double fraction, double begun) {
  if (!(fraction > begun) || fraction > 1.0 || elapsed.count() < kFirstSeconds)
    return std::nullopt;
  const double seconds = elapsed.count() * (1.0 - fraction) / (fraction - begun);
  if (seconds > kLongestSeconds) return std::nullopt;
  return std::chrono::seconds(static_cast<std::int64_t>(seconds + 0.5));
}

}  // namespace equipatch
