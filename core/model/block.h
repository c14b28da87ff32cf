#pragma once

#include "core/model/attention.h"
#include "core/model/block_policy.h"

namespace equipatch {

/// One transformer block. Its forward reads like the figure.
class Block {
 public:
  /// All references outlive this.
  Block(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights,
        const Arithmetic& arithmetic);

  /// x = resid_pre [rows, width] → resid_post [rows, width].
  Tensor forward(const Tensor& x, const RowBatch& batch, BlockPolicy& policy,
                 const Arithmetic& arithmetic) const;

  const OuterFunction& outer() const { return m_outer; }

 private:
  Tensor first(const BlockView& view, FirstMatrix which, const Tensor& z,
               BlockPolicy& policy) const;

  const ModelSpec& m_spec;
  LayerIndex m_layer;
  const LayerWeights& m_weights;
  Attention m_attention;
  OuterFunction m_outer;
};

}  // namespace equipatch
