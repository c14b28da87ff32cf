// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention.h"

#include <algorithm>
#include <limits>

#include "core/model/feed_forward.h"
#include "core/model/not_finite.h"

namespace equipatch {
namespace {

// Up to this many queries per key/value head go to core/kernel, more go to bmm. A single
// token rarely has more queries; a prompt rarely has fewer.
constexpr std::int64_t kFewQueries = 32;

/// The alternate order computes the inner sum in two halves, the second half first.
Tensor batchProduct(const Tensor& a, const Tensor& b, SummationOrder order) {
  const std::int64_t inner = a.size(2), half = inner / 2;
  if (order == SummationOrder::Standard || half == 0) return at::bmm(a, b);
  const auto part = [&](std::int64_t first, std::int64_t count) {
    return at::bmm(a.narrow(2, first, count), b.narrow(1, first, count));
  };
  return part(half, inner - half).add_(part(0, half));
}

bool suitsKernels(const Tensor& rows, const Tensor& matrices) {
  return rows.is_cpu() && rows.size(1) <= kFewQueries && matrices.numel() > 0 &&
         matrices.stride(2) == 1 && matrices.stride(1) == matrices.size(2);
}

WeightMatrix matrixOf(const Tensor& head) {
  return {head.data_ptr(), dtypeOf(head), head.size(0), head.size(1)};
}

std::vector<WeightMatrix> matricesOf(const Tensor& heads) {
  std::vector<WeightMatrix> matrices;
  for (std::int64_t head = 0; head < heads.size(0); ++head)
    matrices.push_back(matrixOf(heads.select(0, head)));
  return matrices;
}

/// kv [rows, kvHeads, headDim] → [rows, heads, headDim].
Tensor perHead(const Tensor& kv, std::int64_t heads) {
  const std::int64_t rows = kv.size(0), kvHeads = kv.size(1), headDim = kv.size(2);
  return kv.unsqueeze(2)
      .expand({rows, kvHeads, heads / kvHeads, headDim})
      .reshape({rows, heads, headDim});
}

/// q [heads, rows, headDim] → to [heads, rows, count].
template <typename T>
void scoreHeads(const std::vector<WeightMatrix>& K, const T* q, std::int64_t rows, T* to,
                SummationOrder order) {
  for (const WeightMatrix& head : K) {
    fewRowProduct(head, q, rows, to, order);
    q += rows * head.inputs;
    to += rows * head.outputs;
  }
}

}  // namespace

Attention::Attention(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights,
                     const Arithmetic& arithmetic)
    : m_spec(spec),
      m_layerSpec(spec.layers.at(static_cast<std::size_t>(layer.value))),
      m_headDim(spec.headDimOf(m_layerSpec)),
      m_kvHeads(spec.kvHeadsOf(m_layerSpec)),
      m_layer(layer),
      m_weights(weights) {
  if (m_layerSpec.rope) m_rotary.emplace(*m_layerSpec.rope, arithmetic);
}

Tensor Attention::forward(const Tensor& attn_in, const RowBatch& batch,
                          const Arithmetic& arithmetic) const {
  const Rotation rotation = rotaryOf(batch, attendingCount(batch));
  const RowKeys own = ownKeys(attn_in, batch, rotation, arithmetic);
  if (batch.rowKeys) batch.rowKeys->at(static_cast<std::size_t>(m_layer.value)) = own;
  std::vector<Tensor> parts = attendingOutputs(attn_in, own, batch, rotation, arithmetic);
  if (batch.reducedRows > 0 && seesItselfOnly(batch))
    parts.push_back(
        perHead(own.v.narrow(0, batch.contextRows, batch.reducedRows), m_spec.heads));
  Tensor heads = at::cat(parts, 0).reshape({batch.rows(), m_spec.heads * m_headDim});
  if (m_spec.attentionGate) heads = gated(heads, attn_in, arithmetic);
  const Tensor attn_out = arithmetic.product(heads, m_weights.W_o);
  arithmetic.roundInPlace(attn_out);
  return attn_out;
}

Tensor Attention::gated(const Tensor& heads, const Tensor& attn_in,
                        const Arithmetic& arithmetic) const {
  const Tensor gate = arithmetic.product(attn_in, m_weights.W_attn_gate);
  arithmetic.roundInPlace(gate);
  return arithmetic.round(heads * arithmetic.round(logistic(gate)));
}

/// True if a reduced row's attention weight on its own value is 1, whatever q and k are:
/// nothing is kept and there are no sinks.
bool Attention::seesItselfOnly(const RowBatch& batch) const {
  return batch.kept.empty() && !m_weights.sinks.defined();
}

/// The number of attending rows, whose q and k are needed: all rows, or only the context
/// rows if seesItselfOnly. Attending rows come first in the batch.
std::int64_t Attention::attendingCount(const RowBatch& batch) const {
  return batch.contextRows + (seesItselfOnly(batch) ? 0 : batch.reducedRows);
}

/// The values of all rows and the keys of the attending rows.
RowKeys Attention::ownKeys(const Tensor& attn_in, const RowBatch& batch,
                           const Rotation& rotation, const Arithmetic& arithmetic) const {
  if (m_layerSpec.keysOf)
    return batch.rowKeys->at(static_cast<std::size_t>(*m_layerSpec.keysOf));
  const std::int64_t rows = attendingCount(batch);
  RowKeys own;
  own.v =
      arithmetic.product(attn_in, m_layerSpec.valueIsKey ? m_weights.W_k : m_weights.W_v);
  arithmetic.roundInPlace(own.v);
  Tensor keys = own.v;
  if (!m_layerSpec.valueIsKey && rows > 0) {
    keys = arithmetic.product(attn_in.narrow(0, 0, rows), m_weights.W_k);
    arithmetic.roundInPlace(keys);
  }
  if (rows > 0)
    own.k = positioned(keys.narrow(0, 0, rows), m_kvHeads, m_weights.k_norm, rotation,
                       arithmetic);
  own.v = own.v.view({batch.rows(), m_kvHeads, m_headDim});
  if (m_spec.valueNorm)
    own.v = arithmetic.round(normalised(own.v, m_spec.norm, arithmetic.order()));
  return own;
}

/// projected [rows, heads·headDim] → [rows, heads, headDim], normalised and rotated if
/// the layer does so.
Tensor Attention::positioned(const Tensor& projected, std::int64_t heads,
                             const NormWeights& weights, const Rotation& rotation,
                             const Arithmetic& arithmetic) const {
  const Tensor x = normalisedHeads(projected, heads, weights, arithmetic);
  if (!rotation) return infinityAsNaN(x);
  const Tensor rotated = m_rotary->rotate(x, *rotation);
  arithmetic.roundInPlace(rotated);
  return infinityAsNaN(rotated);
}

/// The attending rows' outputs, in parts of [rows, heads, headDim].
std::vector<Tensor> Attention::attendingOutputs(const Tensor& attn_in, const RowKeys& own,
                                                const RowBatch& batch,
                                                const Rotation& rotation,
                                                const Arithmetic& arithmetic) const {
  const std::int64_t rows = attendingCount(batch);
  if (rows == 0) return {};
  const Tensor projected = arithmetic.product(attn_in.narrow(0, 0, rows), m_weights.W_q);
  arithmetic.roundInPlace(projected);
  const Tensor q =
      positioned(projected, m_spec.heads, m_weights.q_norm, rotation, arithmetic);
  const auto& [k, v] = own;
  std::vector<Tensor> parts;
  if (const std::int64_t count = batch.contextRows; count > 0) {
    if (!m_layerSpec.keysOf)
      batch.cache->write(m_layer, batch.firstPosition, k.narrow(0, 0, count),
                         v.narrow(0, 0, count));
    parts.push_back(
        arithmetic.round(contextRows(q.narrow(0, 0, count), batch, arithmetic.order())));
  }
  for (std::int64_t row = batch.contextRows; row < rows; ++row)
    parts.push_back(
        arithmetic.round(reducedRow(q.narrow(0, row, 1), k.narrow(0, row, 1),
                                    v.narrow(0, row, 1), batch, arithmetic.order())));
  return parts;
}

/// projected [rows, heads·headDim] → [rows, heads, headDim].
Tensor Attention::normalisedHeads(const Tensor& projected, std::int64_t heads,
                                  const NormWeights& weights,
                                  const Arithmetic& arithmetic) const {
  const auto split = [&](const Tensor& x) {
    return x.view({x.size(0), heads, m_headDim});
  };
  if (m_spec.queryKeyNorm == QueryKeyNorm::None) return split(projected);
  if (m_spec.queryKeyNorm == QueryKeyNorm::WholeWidth)
    return split(norm(projected, weights, m_spec.norm, arithmetic));
  return norm(split(projected), weights, m_spec.norm, arithmetic);
}

Attention::Rotation Attention::rotaryOf(const RowBatch& batch, std::int64_t rows) const {
  if (!m_rotary || rows == 0) return std::nullopt;
  std::vector<double> positions;
  for (std::int64_t row = 0; row < rows; ++row)
    positions.push_back(
        static_cast<double>(batch.firstPosition + (row < batch.contextRows ? row : 0)));
  return m_rotary->embedding(
      {at::tensor(positions, at::kDouble).to(m_weights.W_q.weight.device()),
       batch.textLength()});
}

/// The first position that a row at batch.firstPosition may see.
std::int64_t Attention::firstSeen(const RowBatch& batch) const {
  const std::int64_t window =
      m_layerSpec.window.value_or(std::numeric_limits<std::int64_t>::max());
  const std::int64_t first =
      window > batch.firstPosition ? 0 : batch.firstPosition - window + 1;
  return std::max(first, batch.visibleFrom);
}

/// Scaled (and soft-capped) q Kᵀ: q [rows, heads, headDim], K [kvHeads, count, headDim]
/// → [kvHeads, rows·group, count], where group = heads / kvHeads.
Tensor Attention::scores(const Tensor& q, const Tensor& K, SummationOrder order) const {
  const std::int64_t rows = q.size(0), group = m_spec.heads / m_kvHeads;
  const Tensor queries = q.view({rows, m_kvHeads, group, m_headDim})
                             .permute({1, 0, 2, 3})
                             .reshape({m_kvHeads, rows * group, m_headDim});
  const Tensor products = headScores(queries, K, order).mul_(m_layerSpec.attentionScale);
  if (!m_spec.attentionSoftcap) return products;
  return at::tanh(products / *m_spec.attentionSoftcap) * *m_spec.attentionSoftcap;
}

/// softmax(scores). A head's sink adds a term to the softmax's denominator, but gets no
/// weight in the result.
Tensor Attention::pattern(const Tensor& scores, std::int64_t rows) const {
  if (!m_weights.sinks.defined()) return at::softmax(scores, -1);
  const std::int64_t group = m_spec.heads / m_kvHeads;
  const Tensor sinks = m_weights.sinks.view({m_kvHeads, 1, group})
                           .expand({m_kvHeads, rows, group})
                           .reshape({m_kvHeads, rows * group, 1});
  return at::softmax(at::cat({scores, sinks}, -1), -1)
      .narrow(-1, 0, scores.size(-1))
      .contiguous();
}

/// softmax(scores) V: scores [kvHeads, rows·group, count], V [kvHeads, count, headDim]
/// → [rows, heads, headDim], wide and unrounded.
Tensor Attention::weightedHeads(const Tensor& scores, const Tensor& V, std::int64_t rows,
                                SummationOrder order) const {
  const std::int64_t group = m_spec.heads / m_kvHeads;
  return weightedValues(pattern(scores, rows), V, order)
      .view({m_kvHeads, rows, group, m_headDim})
      .permute({1, 0, 2, 3})
      .reshape({rows, m_spec.heads, m_headDim});
}

/// Attention of the context rows over the cache, causal except within `batch.groups`:
/// q [rows, heads, headDim] → [rows, heads, headDim].
Tensor Attention::contextRows(const Tensor& q, const RowBatch& batch,
                              SummationOrder order) const {
  const std::int64_t rows = q.size(0), end = batch.firstPosition + rows;
  const std::int64_t first = firstSeen(batch), count = end - first;
  Tensor logits = scores(q, batch.cache->keys(m_layer, first, count), order);
  if (rows > 1) {
    const std::int64_t window = m_layerSpec.window.value_or(end);
    const std::int64_t group = m_spec.heads / m_kvHeads;
    const auto options = at::TensorOptions(at::kLong).device(q.device());
    const Tensor i = at::arange(batch.firstPosition, end, options).unsqueeze(1);
    const Tensor j = at::arange(first, end, options).unsqueeze(0);
    const Tensor masked = (j > i).logical_or(i - j >= window);  // [rows, count]
    for (const TokenGroup& image : batch.groups)
      masked.narrow(0, image.first - batch.firstPosition, image.count)
          .narrow(1, image.first - first, image.count)
          .fill_(false);
    logits =
        logits.view({m_kvHeads, rows, group, count})
            .masked_fill(masked.unsqueeze(1), -std::numeric_limits<float>::infinity())
            .view({m_kvHeads, rows * group, count});
  }
  return weightedHeads(logits, batch.cache->values(m_layer, first, count), rows, order);
}

/// Attention of one row over the kept positions and itself: the row's own
/// q [1, heads, headDim] and k, v [1, kvHeads, headDim]. The terms of sums are added in
/// the same order as for a context row, so the two results are equal if all positions are
/// kept.
Tensor Attention::reducedRow(const Tensor& q, const Tensor& k, const Tensor& v,
                             const RowBatch& batch, SummationOrder order) const {
  if (batch.kept.empty()) {
    const auto alone = [](const Tensor& own) { return own.transpose(0, 1).contiguous(); };
    return weightedHeads(scores(q, alone(k), order), alone(v), 1, order);
  }
  const Tensor kept = batch.kept.from(firstSeen(batch));
  const auto append = [](const Tensor& cached, const Tensor& own) {
    return at::cat({cached, own.transpose(0, 1).to(cached.scalar_type())}, 1);
  };
  const Tensor K = append(batch.cache->keysAt(m_layer, kept), k);
  const Tensor V = append(batch.cache->valuesAt(m_layer, kept), v);
  return weightedHeads(scores(q, K, order), V, 1, order);
}

Tensor headScores(const Tensor& q, const Tensor& K, SummationOrder order) {
  if (!suitsKernels(q, K))
    return batchProduct(q, K.to(q.scalar_type()).transpose(1, 2), order);
  return hostResult(q, {q.size(0), q.size(1), K.size(1)},
                    [&](const auto* from, auto* to) {
                      scoreHeads(matricesOf(K), from, q.size(1), to, order);
                    });
}

Tensor weightedValues(const Tensor& p, const Tensor& V, SummationOrder order) {
  if (!suitsKernels(p, V)) return batchProduct(p, V.to(p.scalar_type()), order);
  return hostResult(p, {p.size(0), p.size(1), V.size(2)},
                    [&](const auto* from, auto* to) {
                      weightedSums(matricesOf(V), from, p.size(1), to, order);
                    });
}

}  // namespace equipatch
