// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/block_hooks.h"

namespace equipatch {

/// f(x) for an elementwise f. Pads rows to whole SIMD vectors: libtorch uses other
/// instructions for a tensor's last elements if they do not fill a vector, which would
/// make a row's result depend on the other rows.
template <typename Function>
Tensor rowwise(const Tensor& x, const Function& f) {
  constexpr std::int64_t kVector = 64;
  const std::int64_t width = x.size(-1), rest = width % kVector;
  if (rest == 0) return f(x);
  return f(at::constant_pad_nd(x, {0, kVector - rest})).narrow(-1, 0, width);
}

/// activation(x), element by element, wide and unrounded.
Tensor activated(const Tensor& x, Activation activation);

/// 1 / (1 + exp(−x)) of each element, wide and unrounded; NaN for infinities.
Tensor logistic(const Tensor& x);

/// h = activation(gate) ⊙ up [rows, mlpWidth], rounded after each operation. `gate` and
/// `up` must be rounded.
Tensor gatedHidden(const Tensor& gate, const Tensor& up, Activation activation,
                   const Arithmetic& arithmetic);

/// The same for a spec with a gateLimit:
/// h = activation(min(gate, limit)) ⊙ (clamp(up, ±limit) + 1); NaN for infinities.
Tensor clampedHidden(const Tensor& gate, const Tensor& up, const ModelSpec& spec,
                     const Arithmetic& arithmetic);

/// An expert, the rows that are routed to it, and its gate in each of these rows.
struct RoutedExpert {
  std::int64_t expert = 0;
  std::vector<std::int64_t> rows;  ///< ascending
  Tensor gates;                    ///< [rows], wide but rounded
};

/// Top-k routing. Each row's gates are the `active` largest probabilities of the softmax
/// over all experts (ties go to the lower index), divided by their sum if
/// MoeSpec::normaliseGates. Returns the experts that have rows, in ascending order.
/// @param scores the router's rounded output [rows, experts]
std::vector<RoutedExpert> route(const Tensor& scores, const MoeSpec& moe,
                                const Arithmetic& arithmetic);

/// The inputs of a block's MLP [rows, width]. The formulas of `experts` and `router` hold
/// if a dense MLP runs beside experts; otherwise all three are mlp_in.
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

  /// The down projections of every expert in use and, last, of the dense MLP.
  std::vector<DownProduct> products(const HookedBlock& block, const MlpInputs& inputs,
                                    BlockHooks& hooks) const;

  /// y [rows, width], wide and unrounded: Σ gate · product, plus `biasAfter` if there is
  /// one, for which `sum` calls `hookOutBias`. With a dense MLP beside experts, y is the
  /// sum of the two branches after their norms, and `sum` calls `hookDenseScale`.
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
