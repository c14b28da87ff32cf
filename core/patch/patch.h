// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/checkpoint/layer_spec.h"
#include "core/patch/low_rank.h"

namespace equipatch {

/// One matrix's change: RankOne for one token, LowRank for several.
template <typename Change>
struct MatrixPatchOf {
  MatrixId matrix;
  Change change;
};

/// The changed weights of one block. Absent ones are unchanged.
template <typename Change>
struct LayerPatchOf {
  std::vector<MatrixPatchOf<Change>> matrices;  ///< each at most once
  std::optional<Vector> scale;  ///< m' [width] of the closing norm, in place of m
  std::optional<Vector> bias;   ///< b' [width] of the block's end, in place of b

  bool empty() const { return matrices.empty() && !scale && !bias; }
  /// Null where the matrix is unchanged.
  const Change* find(MatrixId matrix) const {
    const auto found =
        std::ranges::find(matrices, matrix, &MatrixPatchOf<Change>::matrix);
    return found == matrices.end() ? nullptr : &found->change;
  }
};

using MatrixPatch = MatrixPatchOf<RankOne>;
using LayerPatch = LayerPatchOf<RankOne>;
/// All blocks of a model, for one token.
using Patch = std::vector<LayerPatch>;

using SharedLayerPatch = LayerPatchOf<LowRank>;
/// All blocks of a model, for several tokens. Sets no bias: one bias cannot serve tokens
/// that miss different outputs.
using SharedPatch = std::vector<SharedLayerPatch>;

}  // namespace equipatch
