// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/kv_cache.h"
#include "core/model/weights.h"

namespace equipatch {

/// The inputs of consecutive tokens to a layer's recurrence, wide and contiguous.
/// DeltaNetSpec defines the symbols.
struct DeltaTokens {
  Tensor q, k;         ///< [tokens, valueHeads, keyDim]
  Tensor v;            ///< [tokens, valueHeads, valueDim]
  Tensor alpha, beta;  ///< [tokens, valueHeads]

  std::int64_t count() const { return v.size(0); }
  DeltaTokens range(std::int64_t first, std::int64_t tokens) const;
};

/// The states of a recurrence, [valueHeads, keyDim, valueDim].
struct DeltaStates {
  Tensor before;            ///< undefined: zero
  Tensor* after = nullptr;  ///< set to a new tensor, the state after the tokens; may be
                            ///< null for a single token
};

// Both apply the gated delta rule (core/kernel/delta_rule.h) and return
// o [tokens, valueHeads, valueDim].

/// The tensors must be in host memory.
Tensor deltaRuleOnHost(const DeltaStates& states, const DeltaTokens& tokens,
                       SummationOrder order);
/// The tensors may be on any device.
Tensor deltaRuleByLibtorch(const DeltaStates& states, const DeltaTokens& tokens,
                           SummationOrder order);

/// One recurrent layer's token mixer, a Gated DeltaNet (see DeltaNetSpec). It computes
/// token by token, because chunked forms lose digits where the state decays fast. The
/// state is wide in every dtype. A reduced row starts from the state after the kept
/// positions alone.
class DeltaNet {
 public:
  /// The referenced objects must outlive this.
  DeltaNet(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights);

  /// attn_in [rows, width] → attn_out [rows, width], before any post-norm and residual.
  Tensor forward(const Tensor& attn_in, const RowBatch& batch,
                 const Arithmetic& arithmetic) const;

 private:
  DeltaTokens tokens(const Tensor& windows, const Arithmetic& arithmetic) const;
  Tensor convolved(const Tensor& windows, const Arithmetic& arithmetic) const;
  Tensor windowOf(const Tensor& seen) const;
  RecurrentMemory::Step stepOf(const Arithmetic& arithmetic) const;
  std::vector<Tensor> contextRows(const Tensor& inputs, const RowBatch& batch,
                                  const Arithmetic& arithmetic) const;
  Tensor reducedRows(const Tensor& inputs, const RowBatch& batch,
                     const Arithmetic& arithmetic) const;

  const DeltaNetSpec& m_delta;
  const NormSpec m_norm;
  LayerIndex m_layer;
  const LayerWeights& m_weights;
};

}  // namespace equipatch
