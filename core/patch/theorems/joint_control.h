// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/patch/low_rank.h"

namespace equipatch {

/// One ΔW for several tokens (docs/maths.md, "One set of weights for several tokens"). Of
/// all ΔW with ΔW x_j = missing_j for every token j, it has the least Frobenius norm:
///   ΔW = M X⁺,  X⁺ the pseudo-inverse of X = [x_1 … x_k], M = [missing_1 … missing_k].
/// For k = 1, ΔW is the rank-1 patch of Lemmas 6 and 9. ΔW exists if every linear
/// dependence among the x_j holds among the missing_j, too.
/// @param missing M [outputs, k]
/// @param inputs X [inputs, k]
/// @param accuracy relative accuracy of the inputs. A column whose direction is closer
///        than this to a linear combination of the others counts as dependent, because a
///        patch that relied on the difference would fail with sums in another order
/// @returns nothing when ΔW does not exist
std::optional<LowRank> jointControl(const Columns& missing, const Columns& inputs,
                                    double accuracy);

}  // namespace equipatch
