#pragma once

#include <vector>

#include "core/model/block_policy.h"
#include "core/model/mixture.h"

namespace equipatch {

/// The activation function, wide and unrounded.
Tensor activated(const Tensor& x, Activation activation);

/// What stands between gated first matrices and W_down: h = activation(gate) ⊙ up, from
/// rounded pre-activations [rows, mlpWidth], rounded after each operation.
Tensor gatedHidden(const Tensor& gate, const Tensor& up, Activation activation,
                   const Arithmetic& arithmetic);

/// A block's MLP, dense or a mixture, up to the products of its last matrices.
class FeedForward {
 public:
  /// All references outlive this.
  FeedForward(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights);

  /// z [rows, width] → W_down h of the dense feed-forward, or of every expert in use. The
  /// policy is asked at every first matrix.
  std::vector<LastProduct> products(const BlockView& view, const Tensor& z,
                                    BlockPolicy& policy) const;

  /// y = Σ gate · W_down h + b, [rows, width], wide and unrounded. The policy is asked
  /// about the bias. Gates weigh unrounded products: with one expert or several, the sum
  /// is rounded once.
  Tensor sum(const BlockView& view, const std::vector<LastProduct>& last,
             std::int64_t rows, BlockPolicy& policy) const;

 private:
  struct Use;
  LastProduct use(const BlockView& view, const Use& use, BlockPolicy& policy) const;
  void addExperts(const BlockView& view, const Tensor& z, BlockPolicy& policy,
                  std::vector<LastProduct>& last) const;

  const ModelSpec& m_spec;
  const LayerSpec& m_layerSpec;
  const LayerWeights& m_weights;
};

}  // namespace equipatch
