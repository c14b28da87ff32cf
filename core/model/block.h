// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <variant>

#include "core/model/attention.h"
#include "core/model/delta_net.h"
#include "core/model/feed_forward.h"

namespace equipatch {

/// One transformer block; its token mixer is attention or a Gated DeltaNet.
class Block {
 public:
  /// Spec and weights must outlive this.
  Block(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights,
        const Arithmetic& arithmetic);

  /// x = resid_pre [rows, width] → the next block's input [rows, width]: resid_post, to
  /// which the branch of the per-layer embeddings and the layer's scalar are applied if
  /// the model has them.
  Tensor forward(const Tensor& x, const RowBatch& batch, BlockHooks& hooks,
                 const Arithmetic& arithmetic) const;

  const OuterFunction& outer() const { return m_outer; }

 private:
  Tensor normed(const Tensor& x, const NormWeights& weights,
                const Arithmetic& arithmetic) const;
  Tensor output(const Tensor& resid_post, const RowBatch& batch,
                const Arithmetic& arithmetic) const;
  Tensor residMid(const BlockSites& sites, const Arithmetic& arithmetic) const;
  Tensor mlpInput(const BlockSites& sites, const Tensor& attn_in,
                  const Arithmetic& arithmetic) const;
  MlpInputs mlpInputs(const BlockSites& sites, const Arithmetic& arithmetic) const;

  const ModelSpec& m_spec;
  LayerIndex m_layer;
  const LayerWeights& m_weights;
  std::variant<Attention, DeltaNet> m_mixer;
  FeedForward m_feedForward;
  OuterFunction m_outer;
};

}  // namespace equipatch
