#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// One block's parameters. Norm scales are the m that multiplies, wide; undefined where
/// the spec has no such norm.
struct LayerWeights {
  Tensor attn_norm;       ///< [width]
  Linear W_q;             ///< [heads·headDim, width]
  Linear W_k, W_v;        ///< [kvHeads·headDim, width]
  Linear W_o;             ///< [width, heads·headDim]
  Tensor q_norm, k_norm;  ///< [headDim]
  Tensor attn_post_norm;  ///< [width]
  Tensor mlp_norm;        ///< [width]
  Linear W_gate, W_up;    ///< [mlpWidth, width]
  Linear W_down;          ///< [width, mlpWidth]
  Tensor mlp_post_norm;   ///< [width]
};

/// A model's parameters under canonical names, in the run's dtype on its device. Where
/// that is how the file keeps them, they are the mapped file itself: nothing is copied.
/// Immutable after `load`.
struct Weights {
  Tensor embed;  ///< [vocabulary, width]
  Linear head;   ///< [vocabulary, width]; the same tensor as `embed` when tied
  Tensor final_norm;
  std::vector<LayerWeights> layers;

  /// @throws Error{Cancelled} when `progress` asks to stop, between two tensors.
  static Weights load(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
                      Progress& progress);
};

/// ‖W‖_F in double precision, widened tile by tile.
double frobeniusNorm(const Tensor& weight);

}  // namespace equipatch
