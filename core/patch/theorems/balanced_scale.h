// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/patch/low_rank.h"

namespace equipatch {

/// How scale and down projection share what a branch must add.
struct BalancedSplit {
  Vector m;             ///< m' [width]
  Vector hiddenTarget;  ///< output that W_down must have [width]
  double nu = 0.0;      ///< the root ν; 0 if g = 0
};

/// The ν-split (method `balanced`, docs/maths.md): for a block that closes with
/// v + RMSNorm(W_down h) ⊙ m and must add g, choose
///   m'_k = sgn(m_k) sqrt(m_k² + ν g_k²),   y_k = g_k / m'_k,   sgn(0) = 1,
/// with ν the unique root of mean_k 1 / (m_k²/g_k² + ν) = ρ², where ρ² = C² / (C² + eps)
/// is the mean square that RMSNorm gives an input of RMS C. Then W_down must produce (C /
/// ρ) y, whose RMS C is that of its unpatched output.
///
/// The formulas of m' and y do not divide by an activation. The root exists unless g = 0.
/// If g = 0, m' is 0 and W_down keeps its output. m_k = 0 is allowed; g_k = 0 leaves m_k
/// unchanged.
/// @param g [width] what the branch must add
/// @param m [width] the scale as multiplied
/// @param q [width] W_down's unpatched output; if g ≠ 0, only its RMS is used (1 when
///        q = 0)
BalancedSplit balancedSplit(const Vector& g, const Vector& m, const Vector& q,
                            double eps);

/// Corrects m' for the rounding of the norm's actual output: m'_k becomes g_k / n_k where
/// that changes it by at most a twentieth; a tiny n_k thus cannot make m'_k huge, and
/// n_k = 0 leaves it unchanged.
/// @param m m' [width], of a split for g
/// @param n [width] the norm's output before its scale, in the patched pass
Vector settleScale(const Vector& m, const Vector& g, const Vector& n);

}  // namespace equipatch
