#include "core/model/attention.h"

#include <algorithm>
#include <limits>

#include "core/model/norm.h"

namespace equipatch {
namespace {

/// a b of each batch, the inner sum optionally in two parts, the second first.
Tensor batchProduct(const Tensor& a, const Tensor& b, SummationOrder order) {
  const std::int64_t inner = a.size(2), half = inner / 2;
  if (order == SummationOrder::Standard || half == 0) return at::bmm(a, b);
  const auto part = [&](std::int64_t first, std::int64_t count) {
    return at::bmm(a.narrow(2, first, count), b.narrow(1, first, count));
  };
  return part(half, inner - half).add_(part(0, half));
}

}  // namespace

Attention::Attention(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights,
                     const Arithmetic& arithmetic)
    : m_spec(spec),
      m_layerSpec(spec.layers.at(static_cast<std::size_t>(layer.value))),
      m_layer(layer),
      m_weights(weights) {
  if (m_layerSpec.rope) m_rotary.emplace(*m_layerSpec.rope, arithmetic);
}

Tensor Attention::forward(const Tensor& attn_in, const RowBatch& batch,
                          const Arithmetic& arithmetic) const {
  const Tensor v = arithmetic.round(arithmetic.product(attn_in, m_weights.W_v))
                       .view({batch.rows(), m_spec.kvHeads, m_spec.headDim});
  std::vector<Tensor> parts;
  if (batch.contextRows > 0)
    parts.push_back(context(attn_in.narrow(0, 0, batch.contextRows),
                            v.narrow(0, 0, batch.contextRows), batch, arithmetic));
  // A token that sees only itself gives its own value weight 1, whatever q and k are.
  if (batch.loneRows > 0)
    parts.push_back(v.narrow(0, batch.contextRows, batch.loneRows)
                        .repeat_interleave(m_spec.heads / m_spec.kvHeads, 1));
  const Tensor mixed =
      at::cat(parts, 0).reshape({batch.rows(), m_spec.heads * m_spec.headDim});
  return arithmetic.round(arithmetic.product(mixed, m_weights.W_o));
}

Tensor Attention::context(const Tensor& attn_in, const Tensor& v, const RowBatch& batch,
                          const Arithmetic& arithmetic) const {
  const auto heads = [&](const Linear& W, std::int64_t count, const NormWeights& norm) {
    const Tensor projected = arithmetic.round(arithmetic.product(attn_in, W));
    return rotated(normalisedHeads(projected, count, norm, arithmetic), batch,
                   arithmetic);
  };
  const Tensor q = heads(m_weights.W_q, m_spec.heads, m_weights.q_norm);
  const Tensor k = heads(m_weights.W_k, m_spec.kvHeads, m_weights.k_norm);
  batch.cache->write(m_layer, batch.firstPosition, k, v);
  return arithmetic.round(attend(q, batch, arithmetic.order()));
}

/// projected [rows, heads·headDim] → [rows, heads, headDim], after the norm if there is
/// one.
Tensor Attention::normalisedHeads(const Tensor& projected, std::int64_t heads,
                                  const NormWeights& weights,
                                  const Arithmetic& arithmetic) const {
  const auto split = [&](const Tensor& x) {
    return x.view({x.size(0), heads, m_spec.headDim});
  };
  if (m_spec.queryKeyNorm == QueryKeyNorm::None) return split(projected);
  if (m_spec.queryKeyNorm == QueryKeyNorm::WholeWidth)
    return split(norm(projected, weights, m_spec.norm, arithmetic));
  return norm(split(projected), weights, m_spec.norm, arithmetic);
}

Tensor Attention::rotated(const Tensor& x, const RowBatch& batch,
                          const Arithmetic& arithmetic) const {
  if (!m_rotary) return x;
  const Tensor rows =
      at::arange(batch.firstPosition, batch.firstPosition + x.size(0), x.options());
  return arithmetic.round(m_rotary->rotate(x, {rows, batch.sequence()}));
}

/// q [rows, heads, headDim] over the cache → [rows, heads, headDim], wide and unrounded.
Tensor Attention::attend(const Tensor& q, const RowBatch& batch,
                         SummationOrder order) const {
  const std::int64_t rows = q.size(0), end = batch.firstPosition + rows;
  const std::int64_t window =
      m_layerSpec.window.value_or(std::numeric_limits<std::int64_t>::max());
  const std::int64_t first =
      window > batch.firstPosition ? 0 : batch.firstPosition - window + 1;
  const std::int64_t count = end - first;
  const std::int64_t group = m_spec.heads / m_spec.kvHeads;

  const Tensor K = batch.cache->keys(m_layer, first, count);
  const Tensor V = batch.cache->values(m_layer, first, count);
  const Tensor queries = q.view({rows, m_spec.kvHeads, group, m_spec.headDim})
                             .permute({1, 0, 2, 3})
                             .reshape({m_spec.kvHeads, rows * group, m_spec.headDim});
  Tensor scores =
      batchProduct(queries, K.transpose(1, 2), order).mul_(m_layerSpec.attentionScale);
  if (m_spec.attentionSoftcap)
    scores = at::tanh(scores / *m_spec.attentionSoftcap) * *m_spec.attentionSoftcap;
  if (rows > 1) {
    const auto options = at::TensorOptions(at::kLong).device(q.device());
    const Tensor i = at::arange(batch.firstPosition, end, options).unsqueeze(1);
    const Tensor j = at::arange(first, end, options).unsqueeze(0);
    const Tensor hidden = (j > i).logical_or(i - j >= window);  // [rows, count]
    scores =
        scores.view({m_spec.kvHeads, rows, group, count})
            .masked_fill(hidden.unsqueeze(1), -std::numeric_limits<float>::infinity())
            .view({m_spec.kvHeads, rows * group, count});
  }
  return batchProduct(at::softmax(scores, -1), V, order)
      .view({m_spec.kvHeads, rows, group, m_spec.headDim})
      .permute({1, 0, 2, 3})
      .reshape({rows, m_spec.heads, m_spec.headDim});
}

}  // namespace equipatch
