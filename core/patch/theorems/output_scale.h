#pragma once

#include <cstdint>

#include "core/patch/low_rank.h"

namespace equipatch {

/// A changed elementwise scale and what it took.
struct ScaleChange {
  Vector delta;                  ///< Δm [width]
  double smallestDivisor = 0.0;  ///< smallest |n_k| that was divided by
  std::int64_t guarded = 0;      ///< components left alone or clamped
};

/// Output control of an elementwise scale [G, Lemma 10; Theorem 1]:
///   Δm = δ ⊘ n,  so that n ⊙ (m + Δm) = n ⊙ m + δ.
/// Exact only where no n_k is 0: such a component with δ_k ≠ 0 is left alone and counted,
/// and so is one where |m + Δm| would exceed `limit`, which is clamped to it. Small n_k
/// amplify every rounding error of n; this is the method's known weakness, not guarded.
/// @param missing δ [width]; @param n [width] normalised, unscaled; @param m [width]
ScaleChange outputScale(const Vector& missing, const Vector& n, const Vector& m,
                        double limit);

}  // namespace equipatch
