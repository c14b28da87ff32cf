// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/patch/low_rank.h"

namespace equipatch {

/// Several tokens at once (docs/maths.md, "One set of weights for several tokens"): the
/// smallest ΔW with ΔW x_j = missing_j for every token j,
///   ΔW = M X⁺,  X⁺ the pseudo-inverse of X = [x_1 … x_k], M = [missing_1 … missing_k].
/// For k = 1 it is the rank-1 patch of Lemmas 6 and 9. It exists when no x_j is a linear
/// combination of the others, or when its missing_j is the same combination of theirs.
/// @param missing M [outputs, k]
/// @param inputs X [inputs, k]
/// @param accuracy relative accuracy of the inputs. A column counts as a combination of
///        the others if its direction differs from one by less than this: a patch that
///        relied on the difference would fail with sums in another order
/// @returns nothing when ΔW does not exist.
std::optional<LowRank> jointControl(const Columns& missing, const Columns& inputs,
                                    double accuracy);

}  // namespace equipatch
