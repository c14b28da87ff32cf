// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/base/progress.h"

namespace equipatch {

/// Counts the steps of long work and looks for a stop request only about every
/// kStepsPerLook steps, because a look takes longer than a step.
class StopCheck {
 public:
  /// @param progress outlives this.
  explicit StopCheck(const Progress& progress) : m_progress(progress) {}

  static constexpr std::size_t kStepsPerLook = std::size_t{1} << 16;

  /// @throws Error{Cancelled} soon after a stop request.
  void count(std::size_t steps = 1) {
    m_steps += steps;
    if (m_steps >= kStepsPerLook) look();
  }

 private:
  void look() {
    m_steps = 0;
    m_progress.throwIfStopped();
  }

  const Progress& m_progress;
  std::size_t m_steps = 0;
};

}  // namespace equipatch
