#pragma once

#include <vector>

#include "core/model/block_hooks.h"
#include "core/model/moe_routing.h"

namespace equipatch {

/// The activation function, wide and unrounded.
Tensor activated(const Tensor& x, Activation activation);

/// What stands between gated input projections and W_down: h = activation(gate) ⊙ up,
/// from rounded pre-activations [rows, mlpWidth], rounded after each operation.
Tensor gatedHidden(const Tensor& gate, const Tensor& up, Activation activation,
                   const Arithmetic& arithmetic);

/// A block's MLP, dense or MoE, up to the products of its down projections.
class FeedForward {
 public:
  /// All references outlive this.
  FeedForward(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights);

  /// mlp_in [rows, width] → W_down h of the dense feed-forward, or of every
  /// expert in use. Calls `hookInProjection` for every input projection.
  std::vector<DownProduct> products(const BlockView& view, const Tensor& mlp_in,
                                    BlockHooks& hooks) const;

  /// y = Σ gate · W_down h + b, [rows, width], wide and unrounded. Calls
  /// `hookOutBias` where there is a bias. Gates weigh unrounded products: with one expert
  /// or several, the sum is rounded once.
  Tensor sum(const BlockView& view, const std::vector<DownProduct>& down,
             std::int64_t rows, BlockHooks& hooks) const;

 private:
  struct Use;
  DownProduct use(const BlockView& view, const Use& use, BlockHooks& hooks) const;
  void addExperts(const BlockView& view, const Tensor& mlp_in, BlockHooks& hooks,
                  std::vector<DownProduct>& down) const;

  const ModelSpec& m_spec;
  const LayerSpec& m_layerSpec;
  const LayerWeights& m_weights;
};

}  // namespace equipatch
