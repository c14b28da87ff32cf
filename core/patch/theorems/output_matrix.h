#pragma once

#include <optional>

#include "core/patch/low_rank.h"

namespace equipatch {

/// Output control of a down projection [G, Definition 4, Lemma 9; D, Theorem 2.2]:
///   ΔW' = δ hᵀ / ‖h‖²,  so that (W' + ΔW') h = W' h + δ.
/// @param missing δ [outputs], what the output lacks
/// @param h [inputs], the matrix's input
/// @returns nothing when h = 0.
std::optional<RankOne> outputMatrix(const Vector& missing, const Vector& h);

}  // namespace equipatch
