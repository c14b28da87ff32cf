// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/patch/low_rank.h"

namespace equipatch {

struct ScaleChange {
  Vector delta;                  ///< Δm [width]
  double smallestDivisor = 0.0;  ///< smallest |n_k| used as a divisor; 0 if none
  std::int64_t guarded = 0;      ///< components with δ_k ≠ 0 left unchanged or clamped
};

/// Output control of an elementwise scale [G, Lemma 10; Theorem 1]:
///   Δm = δ ⊘ n,  so that n ⊙ (m + Δm) = n ⊙ m + δ.
/// Where δ_k ≠ 0, m_k + Δm_k is clamped to ±`limit`; m_k is left unchanged if n_k = 0.
/// A known weakness: small n_k amplify rounding errors of n.
/// @param missing δ [width]
/// @param n [width] the norm's output before its scale
/// @param m [width]
ScaleChange outputScale(const Vector& missing, const Vector& n, const Vector& m,
                        double limit);

}  // namespace equipatch
