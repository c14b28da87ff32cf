// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

#include "core/patch/low_rank.h"

namespace equipatch {

/// Input control of an input projection [G, Definition 3, Lemmas 6 and 7]:
///   ΔW = missing zᵀ / ‖z‖²,  so that (W + ΔW) z = W z_C.
/// @param missing [outputs] the contextual pass's pre-activation W z_C + b minus the
///   unrounded W z + b; the bias b cancels and is not patched
/// @param z [inputs]
/// @returns nothing when z = 0
inline std::optional<RankOne> inputControl(Vector missing, const Vector& z) {
  const double square = z.squaredNorm();
  if (square == 0.0) return std::nullopt;
  return RankOne{std::move(missing), z / square};
}

}  // namespace equipatch
