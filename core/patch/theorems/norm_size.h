// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "core/patch/low_rank.h"

namespace equipatch {

/// The size of an RMSNorm's output for an input of RMS C: n = x / sqrt(C² + eps)
/// has the mean square ρ² = C² / (C² + eps), whatever x is. The balanced, the joint and
/// the stable split give W_down's patched output the RMS C again, and thus the same ρ².
struct NormSize {
  double C = 1.0;  ///< RMS of W_down's output, 1 where that is 0 or not finite
  double rho2 = 1.0;

  /// @param q [width] W_down's unpatched output
  NormSize(const Vector& q, double eps) {
    const double rms = std::sqrt(q.squaredNorm() / static_cast<double>(q.size()));
    if (rms > 0.0 && std::isfinite(rms)) C = rms;
    rho2 = C * C / (C * C + eps);
  }

  /// The output of W_down for which the norm gives n = y.
  Vector hiddenTarget(const Vector& y) const { return C / std::sqrt(rho2) * y; }
};

}  // namespace equipatch
