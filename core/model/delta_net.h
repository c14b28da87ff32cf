// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/kv_cache.h"
#include "core/model/weights.h"

namespace equipatch {

/// One recurrent layer's token mixer, a Gated DeltaNet (see DeltaNetSpec), computed token
/// by token: chunked forms lose digits where the state decays fast. The state is wide in
/// every dtype. A row that sees only itself starts without a state; kept parts of a
/// context have their own state.
class DeltaNet {
 public:
  /// The referenced objects must outlive this.
  DeltaNet(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights);

  /// attn_in [rows, width] → attn_out [rows, width], before any post-norm and residual.
  Tensor forward(const Tensor& attn_in, const RowBatch& batch,
                 const Arithmetic& arithmetic) const;

 private:
  struct Tokens;
  Tokens tokens(const Tensor& windows, const Arithmetic& arithmetic) const;
  Tensor convolved(const Tensor& windows, const Arithmetic& arithmetic) const;
  Tensor windowOf(const Tensor& seen) const;
  Tensor outputs(Tensor& state, const Tokens& tokens, SummationOrder order) const;
  template <typename T>
  Tensor onHost(const Tensor& state, const Tokens& tokens, SummationOrder order) const;
  Tensor onOtherDevice(Tensor& state, const Tokens& tokens, SummationOrder order) const;
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
