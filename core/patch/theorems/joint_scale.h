// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/patch/low_rank.h"

namespace equipatch {

/// How scale and down projection share what a branch must add, for several tokens.
struct JointSplit {
  Vector m;               ///< m' [width], one for all tokens
  Columns hiddenTargets;  ///< outputs that W_down must have [width, k]
};

/// The ν-split for k tokens at once (docs/maths.md): one scale
///   m'_i = sgn(m_i) sqrt(m_i² + Σ_j ν_j g_ji²)
/// such that for every token j the normalised output y_j = g_j ⊘ m' has the mean square
/// ρ_j² of the norm's output (norm_size.h). The ν maximise
/// Σ_i log m'_i² − width Σ_j ν_j ρ_j². This function is concave, so Newton's method with
/// damped steps finds them, or diverges if there are none.
/// @param g [width, k] what the branch must add for each token
/// @param m [width] the scale as multiplied
/// @param q [width, k] W_down's unpatched outputs; only their RMS are used
/// @returns nothing when no such scale exists, for example because some g_j is 0.
std::optional<JointSplit> jointSplit(const Columns& g, const Vector& m, const Columns& q,
                                     double eps);

}  // namespace equipatch
