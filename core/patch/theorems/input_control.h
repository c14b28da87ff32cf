// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

#include "core/patch/low_rank.h"

namespace equipatch {

/// Input control of an input projection [G, Definition 3, Lemmas 6 and 7]:
///   ΔW = (target − W z) zᵀ / ‖z‖²,  so that (W + ΔW) z = target.
/// With target = W z_C this is W (z_C − z) zᵀ / ‖z‖². A bias is left unchanged: it is in
/// both pre-activations and cancels in their difference.
/// @param missing [outputs] the contextual pass's pre-activation W z_C + b minus this
///   row's W z + b, the latter computed without rounding
/// @param z [inputs]
/// @returns nothing when z = 0: the matrix then controls nothing.
inline std::optional<RankOne> inputControl(Vector missing, const Vector& z) {
  const double square = z.squaredNorm();
  if (square == 0.0) return std::nullopt;
  return RankOne{std::move(missing), z / square};
}

}  // namespace equipatch
