// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/patch/low_rank.h"

namespace equipatch {

/// The change of an elementwise scale and its diagnostics.
struct ScaleChange {
  Vector delta;                  ///< Δm [width]
  double smallestDivisor = 0.0;  ///< smallest |n_k| used as a divisor; 0 if none
  std::int64_t guarded = 0;      ///< components with δ_k ≠ 0 left unchanged or clamped
};

/// Output control of an elementwise scale [G, Lemma 10; Theorem 1]:
///   Δm = δ ⊘ n,  so that n ⊙ (m + Δm) = n ⊙ m + δ.
/// Exact where δ_k = 0, or n_k ≠ 0 and |m + Δm| ≤ `limit`. A component with n_k = 0 and
/// δ_k ≠ 0 is left unchanged. Where |m + Δm| would exceed `limit`, it is clamped to
/// `limit`. `guarded` counts both cases. Small n_k amplify every rounding error of n; the
/// method does not guard against this known weakness.
/// @param missing δ [width]
/// @param n [width] the norm's output before its scale
/// @param m [width]
ScaleChange outputScale(const Vector& missing, const Vector& n, const Vector& m,
                        double limit);

}  // namespace equipatch
