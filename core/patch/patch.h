#pragma once

#include <optional>
#include <vector>

#include "core/patch/rank_one.h"

namespace equipatch {

/// The difference of weights of one block for one token. What is absent is unchanged.
struct LayerPatch {
  std::optional<RankOne> gate, up, down;
  std::optional<Vector> scale;  ///< m' [width] of the closing norm, in place of m

  bool empty() const { return !gate && !up && !down && !scale; }
};

/// All blocks of a model, for one token.
using Patch = std::vector<LayerPatch>;

}  // namespace equipatch
