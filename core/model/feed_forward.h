// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/block_hooks.h"

namespace equipatch {

/// f of each element. Pads the rows to whole SIMD vectors: libtorch computes the last
/// elements of a tensor, which do not fill a vector, with other instructions. Without the
/// padding, a row's result would depend on the rows beside it.
template <typename Function>
Tensor rowwise(const Tensor& x, const Function& f) {
  constexpr std::int64_t kVector = 64;
  const std::int64_t width = x.size(-1), rest = width % kVector;
  if (rest == 0) return f(x);
  return f(at::constant_pad_nd(x, {0, kVector - rest})).narrow(-1, 0, width);
}

/// The activation function of each element of x, wide and unrounded.
Tensor activated(const Tensor& x, Activation activation);

/// 1 / (1 + exp(−x)) of each element, wide and unrounded; NaN for infinities.
Tensor logistic(const Tensor& x);

/// The input of a gated MLP's down projection, h = activation(gate) ⊙ up, from rounded
/// pre-activations [rows, mlpWidth], rounded after each operation.
Tensor gatedHidden(const Tensor& gate, const Tensor& up, Activation activation,
                   const Arithmetic& arithmetic);

/// The same where the spec has a gateLimit:
/// h = activation(min(gate, limit)) ⊙ (clamp(up, ±limit) + 1); NaN for infinities.
Tensor clampedHidden(const Tensor& gate, const Tensor& up, const ModelSpec& spec,
                     const Arithmetic& arithmetic);

/// An expert and the rows of a batch that are routed to it.
struct RoutedExpert {
  std::int64_t expert = 0;
  std::vector<std::int64_t> rows;  ///< ascending
  Tensor gates;                    ///< [rows], wide but rounded; they multiply its output
};

/// Top-k routing of a MoE block. Each row's gates are the `active` largest probabilities
/// of the softmax over all experts (ties go to the lower index). If the spec says so,
/// they are divided by their sum. The result lists, in ascending order, the experts that
/// at least one row is routed to.
/// @param scores the router's rounded output [rows, experts]
std::vector<RoutedExpert> route(const Tensor& scores, const MoeSpec& moe,
                                const Arithmetic& arithmetic);

/// The inputs of a block's MLP [rows, width]. The formulas below hold if a dense MLP runs
/// beside the experts; otherwise all three inputs are mlp_in.
struct MlpInputs {
  Tensor dense;    ///< mlp_in
  Tensor experts;  ///< experts_norm(resid_mid)
  Tensor router;   ///< router_scale ⊙ normalised(resid_mid) / sqrt(width)
};

/// A block's MLP: dense, a mixture of experts (MoE), or both side by side.
class FeedForward {
 public:
  /// The referenced objects must outlive this.
  FeedForward(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights);

  /// The inputs → W_down h of every expert in use and, last, of the dense MLP. Calls
  /// `hookInProjection` for every input projection.
  std::vector<DownProduct> products(const HookedBlock& block, const MlpInputs& inputs,
                                    BlockHooks& hooks) const;

  /// y = Σ gate · W_down h + b, [rows, width], wide and unrounded: gates multiply
  /// unrounded products, so the sum is rounded once for any number of experts. Calls
  /// `hookOutBias` if `biasAfter` is defined. With a dense MLP beside experts, y is the
  /// sum of both branches after their norms, and `hookDenseScale` is called instead.
  Tensor sum(const HookedBlock& block, const std::vector<DownProduct>& down,
             std::int64_t rows, BlockHooks& hooks) const;

 private:
  struct Mlp;
  DownProduct downProduct(const HookedBlock& block, const Mlp& mlp,
                          BlockHooks& hooks) const;
  void addExperts(const HookedBlock& block, const MlpInputs& inputs, BlockHooks& hooks,
                  std::vector<DownProduct>& down) const;
  void addDense(const HookedBlock& block, const Tensor& mlp_in, BlockHooks& hooks,
                std::vector<DownProduct>& down) const;
  Tensor besideSum(const HookedBlock& block, const DownProduct& dense,
                   const Tensor& experts, BlockHooks& hooks) const;

  const ModelSpec& m_spec;
  const LayerSpec& m_layerSpec;
  const LayerWeights& m_weights;
};

}  // namespace equipatch
