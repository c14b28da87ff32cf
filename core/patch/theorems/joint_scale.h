// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/patch/low_rank.h"

namespace equipatch {

/// The scale and W_down's outputs with which a branch adds g for several tokens.
struct JointSplit {
  Vector m;               ///< m' [width], one for all tokens
  Columns hiddenTargets;  ///< outputs that W_down must give [width, k]
};

/// The ν-split for k tokens at once (docs/maths.md): one scale
///   m'_i = sgn(m_i) sqrt(m_i² + Σ_j ν_j g_ji²),   sgn(0) = 1,
/// so that every y_j = g_j ⊘ m' has the mean square ρ_j² that RMSNorm gives for token j
/// (norm_size.h). The ν maximise the concave Σ_i log m'_i² − width Σ_j ν_j ρ_j², where i
/// runs over the components in which some g_j is not 0.
/// @param g [width, k] what the branch must add for each token
/// @param m [width] the norm's scale (not m − 1, as Gemma 2 and 3 store it)
/// @param q [width, k] W_down's unpatched outputs; only their RMS are used
/// @returns nothing if no such scale is found, for example because some g_j is 0.
std::optional<JointSplit> jointSplit(const Columns& g, const Vector& m, const Columns& q,
                                     double eps);

}  // namespace equipatch
