// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "core/patch/low_rank.h"

namespace equipatch {

/// The size of an RMSNorm's output: for every input x of RMS C, n = x / sqrt(C² + eps)
/// has the mean square ρ² = C² / (C² + eps).
struct NormSize {
  double C = 1.0;  ///< RMS of q; 1 if the RMS is 0 or not finite
  double rho2 = 1.0;

  /// @param q [width] W_down's unpatched output
  NormSize(const Vector& q, double eps) {
    const double rms = std::sqrt(q.squaredNorm() / static_cast<double>(q.size()));
    if (rms > 0.0 && std::isfinite(rms)) C = rms;
    rho2 = C * C / (C * C + eps);
  }

  /// The output of W_down, of RMS C, for which the norm gives n = y.
  /// @param y [width] of mean square ρ²
  Vector hiddenTarget(const Vector& y) const { return C / std::sqrt(rho2) * y; }
};

}  // namespace equipatch
