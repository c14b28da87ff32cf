#pragma once

#include <optional>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/model/rotary.h"
#include "core/model/row_batch.h"
#include "core/model/weights.h"

namespace equipatch {

/// One layer's attention with grouped key/value heads.
class Attention {
 public:
  /// All references outlive this.
  Attention(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights,
            const Arithmetic& arithmetic);

  /// attn_in [rows, width] → attn_out [rows, width], before any post-norm and residual.
  Tensor forward(const Tensor& attn_in, const RowBatch& batch,
                 const Arithmetic& arithmetic) const;

 private:
  std::vector<Tensor> seeingRows(const Tensor& attn_in, const Tensor& v,
                                 const RowBatch& batch,
                                 const Arithmetic& arithmetic) const;
  Tensor contextRows(const Tensor& q, const RowBatch& batch, SummationOrder order) const;
  Tensor reducedRow(const Tensor& q, const Tensor& k, const Tensor& v,
                    const RowBatch& batch, SummationOrder order) const;
  std::int64_t firstSeen(const RowBatch& batch) const;
  Tensor scores(const Tensor& q, const Tensor& K, SummationOrder order) const;
  Tensor mixedValues(const Tensor& scores, const Tensor& V, std::int64_t rows,
                     SummationOrder order) const;
  Tensor normalisedHeads(const Tensor& projected, std::int64_t heads,
                         const NormWeights& weights, const Arithmetic& arithmetic) const;
  std::optional<RotaryEmbedding> rotaryOf(const RowBatch& batch,
                                          const Tensor& rows) const;

  const ModelSpec& m_spec;
  const LayerSpec& m_layerSpec;
  LayerIndex m_layer;
  const LayerWeights& m_weights;
  std::optional<Rotary> m_rotary;
};

}  // namespace equipatch
