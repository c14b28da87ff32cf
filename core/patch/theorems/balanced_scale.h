// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/patch/low_rank.h"

namespace equipatch {

/// The scale and W_down's output with which a branch adds g.
struct BalancedSplit {
  Vector m;             ///< m' [width]
  Vector hiddenTarget;  ///< output that W_down must give [width]
  double nu = 0.0;      ///< the root ν; 0 if g = 0
};

/// The ν-split (method `balanced`, docs/maths.md) for a block that closes with
/// v + RMSNorm(W_down h) ⊙ m, whose second term must become g:
///   m'_k = sgn(m_k) sqrt(m_k² + ν g_k²),   y_k = g_k / m'_k,   sgn(0) = 1,
/// with ν the unique root of mean_k 1 / (m_k²/g_k² + ν) = ρ². C and ρ² are NormSize's for
/// q (norm_size.h). The patched W_down must produce (C / ρ) y, which has the RMS C.
///
/// If g = 0, there is no root: m' is 0 and W_down keeps its output. If only some g_k are
/// 0, their m_k stay unchanged. m_k = 0 is allowed.
/// @param m [width] the norm's scale (not m − 1, as Gemma 2 and 3 store it)
/// @param q [width] W_down's unpatched output
BalancedSplit balancedSplit(const Vector& g, const Vector& m, const Vector& q,
                            double eps);

/// Corrects m' for the rounding of the norm's actual output: m'_k becomes g_k / n_k.
/// m'_k stays unchanged where this would change it by more than a twentieth, so that a
/// tiny n_k cannot make m'_k huge, and where n_k = 0.
/// @param m m' [width], of a split for g
/// @param n [width] the norm's output before its scale, in the patched pass
Vector settleScale(const Vector& m, const Vector& g, const Vector& n);

}  // namespace equipatch
