// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/patch/theorems/input_control.h"

namespace equipatch {

/// Output control of a down projection [G, Definition 4, Lemma 9; D, Theorem 2.2]:
///   ΔW = δ hᵀ / ‖h‖²,  so that (W + ΔW) h = W h + δ.
/// @param missing δ [outputs], what the output lacks
/// @param h [inputs], the matrix's input
/// @returns nothing if h = 0.
inline std::optional<RankOne> outputMatrix(Vector missing, const Vector& h) {
  return inputControl(std::move(missing), h);
}

}  // namespace equipatch
