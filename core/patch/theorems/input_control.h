#pragma once

#include <optional>

#include "core/patch/low_rank.h"

namespace equipatch {

/// Input control of an input projection [G, Definition 3, Lemmas 6 and 7]:
///   ΔW = (target − W z) zᵀ / ‖z‖²,  so that (W + ΔW) z = target.
/// With target = W z_C this is W (z_C − z) zᵀ / ‖z‖². A bias stays: the difference of
/// pre-activations does not know it.
/// @param missing [outputs] target − (W z + b), the product unrounded; the target is what
///   the contextual pass has there
/// @param z [inputs]
/// @returns nothing when z = 0: the matrix then controls nothing.
std::optional<RankOne> inputControl(Vector missing, const Vector& z);

}  // namespace equipatch
