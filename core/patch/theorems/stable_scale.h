// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/patch/low_rank.h"

namespace equipatch {

/// The scale and W_down's output with which a branch adds g.
struct StableSplit {
  Vector m;                  ///< m' [width]
  Vector hiddenTarget;       ///< output that W_down must give [width]
  double mu = 0.0;           ///< the multiplier μ; 0 if g = 0
  std::int64_t floored = 0;  ///< number of small m_k that were lifted
  bool hardCase = false;     ///< μ = min m²; see below
};

/// The numerically stable split (method `stable`) of [G, Appendix B], for a block that
/// closes with v + RMSNorm(W_down h) ⊙ m and must add g. Of all outputs of RMSNorm, the
/// split chooses the y whose y ⊙ m is nearest to g; a new scale m' makes up the
/// difference. The paper's step 3 multiplies where it has to divide. Corrected, the split
/// has the closed form
///   m'_k = m_k − μ / m_k,   y_k = g_k / m'_k = g_k m_k / (m_k² − μ),
/// where μ < min m² is the root of mean y² = ρ² (norm_size.h, with RMSNorm's eps, which
/// the paper leaves out). If g = 0, m' = 0 and W_down keeps its output.
///
/// Where |m_k| is small, |Δm_k| = |μ / m_k| is huge, and m_k = 0 with g_k ≠ 0 has no
/// solution. Therefore every |m_k| is first lifted to at least 0.1 rms(m), or to 1 if
/// m = 0.
///
/// In the hard case, known from trust-region methods, g_k = 0 wherever |m_k| is smallest,
/// and mean y² < ρ² for every μ < min m². Then μ = min m², these components get m'_k = 0,
/// and y_k of one of them supplies the missing mean square.
/// @param g [width] what the branch must add
/// @param m [width] the norm's scale (not m − 1, as Gemma 2 and 3 store it)
/// @param q [width] W_down's unpatched output; if g ≠ 0, only its RMS is used
StableSplit stableSplit(const Vector& g, const Vector& m, const Vector& q, double eps);

}  // namespace equipatch
