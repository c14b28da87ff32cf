#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/arithmetic.h"
#include "core/model/norm.h"

namespace equipatch {

/// A feed-forward's matrices: the dense one, or one expert. W_gate and W_up, or W_in, as
/// the spec's MlpForm says; the others are undefined.
struct FeedForwardWeights {
  Linear W_gate, W_up, W_in;  ///< [mlpWidth, width]
  Linear W_down;              ///< [width, mlpWidth]
};

/// One block's parameters; undefined where the spec has no such part.
struct LayerWeights {
  NormWeights attn_norm;       ///< [width]
  Linear W_q;                  ///< [heads·headDim, width]
  Linear W_k, W_v;             ///< [kvHeads·headDim, width]
  Linear W_o;                  ///< [width, heads·headDim]
  NormWeights q_norm, k_norm;  ///< as QueryKeyNorm says
  NormWeights attn_post_norm;  ///< [width]
  NormWeights mlp_norm;        ///< [width]
  NormWeights mlp_post_norm;   ///< [width]

  FeedForwardWeights mlp;  ///< dense

  Linear W_router;                          ///< [experts, width]
  std::vector<FeedForwardWeights> experts;  ///< empty in a dense layer
  Linear W_shared_router;                   ///< [1, width]
  FeedForwardWeights shared;                ///< the expert that every token uses
};

/// A model's parameters under canonical names, in the run's dtype on its device. Where
/// that is how the file keeps them, they are the mapped file itself: nothing is copied.
/// Immutable after `load`.
struct Weights {
  Tensor embed;      ///< [vocabulary, width]
  Tensor positions;  ///< [maxPositions, width]; undefined where none are learned
  Linear head;       ///< [vocabulary, width]; the same tensor as `embed` when tied
  NormWeights final_norm;
  std::vector<LayerWeights> layers;

  /// @throws Error{Cancelled} when `progress` asks to stop, between two tensors.
  static Weights load(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
                      Progress& progress);
};

/// ‖W‖_F in double precision, widened tile by tile.
double frobeniusNorm(const Tensor& weight);

}  // namespace equipatch
