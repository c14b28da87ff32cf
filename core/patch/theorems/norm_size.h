#pragma once

#include "core/patch/low_rank.h"

namespace equipatch {

/// What the closing RMSNorm makes of an input of size C: n = x / sqrt(C² + eps) has the
/// mean square ρ² = C² / (C² + eps), whatever x is. A scale is split with a down
/// projection so that this stays true: W_down's output keeps the size it has.
struct NormSize {
  double C = 1.0;  ///< RMS of W_down's output, 1 where that is 0 or not finite
  double rho2 = 1.0;

  /// @param q [width] what W_down produces unpatched
  NormSize(const Vector& q, double eps);

  /// What W_down must produce for n to be y.
  Vector hiddenTarget(const Vector& y) const;
};

}  // namespace equipatch
