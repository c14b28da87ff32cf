#pragma once

#include <optional>
#include <vector>

#include "core/checkpoint/layer_spec.h"
#include "core/patch/rank_one.h"

namespace equipatch {

/// One matrix's change.
struct MatrixPatch {
  MatrixId matrix;
  RankOne change;
};

/// The difference of weights of one block for one token. What is absent is unchanged.
struct LayerPatch {
  std::vector<MatrixPatch> matrices;  ///< each at most once
  std::optional<Vector> scale;        ///< m' [width] of the closing norm, in place of m
  std::optional<Vector> bias;  ///< b' [width] after the down projection, in place of b

  bool empty() const { return matrices.empty() && !scale && !bias; }
  const RankOne* find(MatrixId matrix) const;
};

/// All blocks of a model, for one token.
using Patch = std::vector<LayerPatch>;

}  // namespace equipatch
