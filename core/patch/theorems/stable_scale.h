// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/patch/low_rank.h"

namespace equipatch {

/// How scale and down projection share what a branch must add.
struct StableSplit {
  Vector m;                  ///< m' [width]
  Vector hiddenTarget;       ///< output that W_down must have [width]
  double mu = 0.0;           ///< the multiplier μ; 0 if g = 0
  std::int64_t floored = 0;  ///< how many small scales were lifted, see below
  bool hardCase = false;     ///< μ is at its bound, see below
};

/// The papers' numerically stable split (method `stable`) [G, Appendix B], for a block
/// that closes with v + RMSNorm(W_down h) ⊙ m and must add g. Of all n that RMSNorm can
/// give, it chooses the one whose n ⊙ m is nearest to g; a new scale m' then makes up the
/// difference. The paper's step 3 multiplies where it has to divide; corrected, the split
/// has the closed form
///   m'_k = m_k − μ / m_k,   y_k = g_k / m'_k = g_k m_k / (m_k² − μ),
/// with μ < min m² the root of mean y² = ρ², where ρ² is the mean square that RMSNorm
/// gives, as in balanced_scale.h (with RMSNorm's eps, which the paper leaves out).
///
/// Small |m_k| make |Δm_k| = |μ / m_k| explode, and m_k = 0 with g_k ≠ 0 has no solution:
/// |m_k| is first lifted to 0.1 rms(m), or to 1 if m = 0. If g_k = 0 wherever |m_k| is
/// smallest, mean y² may stay below ρ² for every μ < min m². This is the hard case, as in
/// trust-region methods: μ = min m², these components get the scale m'_k = 0, and y_k of
/// one of them supplies the missing mean square. If g = 0, m' = 0 and W_down keeps its
/// output.
/// @param g [width] what the branch must add
/// @param m [width] the scale as multiplied
/// @param q [width] W_down's unpatched output; if g ≠ 0, only its RMS is used (1 when
///        q = 0)
StableSplit stableSplit(const Vector& g, const Vector& m, const Vector& q, double eps);

}  // namespace equipatch
