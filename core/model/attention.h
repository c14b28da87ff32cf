// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/kernel/weight_products.h"
#include "core/model/kv_cache.h"
#include "core/model/rotary.h"
#include "core/model/weights.h"

namespace equipatch {

/// One layer's attention, as its LayerSpec says.
class Attention {
 public:
  /// Spec and weights must outlive this.
  Attention(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights,
            const Arithmetic& arithmetic);

  /// attn_in [rows, width] → attn_out [rows, width], before any post-norm and residual.
  /// Writes the context rows' keys and values to the batch's cache, unless the layer
  /// reads those of an earlier layer (LayerSpec::keysOf). Fills the layer's entry of
  /// `batch.rowKeys`, if `rowKeys` is not null.
  Tensor forward(const Tensor& attn_in, const RowBatch& batch,
                 const Arithmetic& arithmetic) const;

 private:
  using Rotation = std::optional<RotaryEmbedding>;

  std::vector<Tensor> attendingOutputs(const Tensor& attn_in, const RowKeys& own,
                                       const RowBatch& batch, const Rotation& rotation,
                                       const Arithmetic& arithmetic) const;
  std::int64_t attendingCount(const RowBatch& batch) const;
  RowKeys ownKeys(const Tensor& attn_in, const RowBatch& batch, const Rotation& rotation,
                  const Arithmetic& arithmetic) const;
  Tensor positioned(const Tensor& projected, std::int64_t heads,
                    const NormWeights& weights, const Rotation& rotation,
                    const Arithmetic& arithmetic) const;
  Tensor contextRows(const Tensor& q, const RowBatch& batch, SummationOrder order) const;
  Tensor reducedRow(const Tensor& q, const Tensor& k, const Tensor& v,
                    const RowBatch& batch, SummationOrder order) const;
  std::int64_t firstSeen(const RowBatch& batch) const;
  Tensor gated(const Tensor& heads, const Tensor& attn_in,
               const Arithmetic& arithmetic) const;
  bool seesItselfOnly(const RowBatch& batch) const;
  Tensor pattern(const Tensor& scores, std::int64_t rows) const;
  Tensor scores(const Tensor& q, const Tensor& K, SummationOrder order) const;
  Tensor weightedHeads(const Tensor& scores, const Tensor& V, std::int64_t rows,
                       SummationOrder order) const;
  Tensor normalisedHeads(const Tensor& projected, std::int64_t heads,
                         const NormWeights& weights, const Arithmetic& arithmetic) const;
  Rotation rotaryOf(const RowBatch& batch, std::int64_t rows) const;

  const ModelSpec& m_spec;
  const LayerSpec& m_layerSpec;
  std::int64_t m_headDim, m_kvHeads;
  LayerIndex m_layer;
  const LayerWeights& m_weights;
  std::optional<Rotary> m_rotary;
};

// Attention's two products, head by head. Few rows on the CPU go to core/kernel, which
// does not copy K or V; there a row's result does not depend on the other rows.

/// q Kᵀ: q [kvHeads, rows, headDim], wide; K [kvHeads, count, headDim], in the cache's
/// dtype → [kvHeads, rows, count], wide.
Tensor headScores(const Tensor& q, const Tensor& K, SummationOrder order);

/// p V: p [kvHeads, rows, count], wide; V [kvHeads, count, headDim], in the cache's dtype
/// → [kvHeads, rows, headDim], wide.
Tensor weightedValues(const Tensor& p, const Tensor& V, SummationOrder order);

}  // namespace equipatch
