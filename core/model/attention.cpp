#include "core/model/attention.h"

#include <algorithm>
#include <limits>

#include "core/model/head_products.h"
#include "core/model/norm.h"

namespace equipatch {

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
  const Tensor v = arithmetic.product(attn_in, m_weights.W_v)
                       .view({batch.rows(), m_spec.kvHeads, m_spec.headDim});
  arithmetic.roundInPlace(v);
  std::vector<Tensor> parts = seeingRows(attn_in, v, batch, arithmetic);
  // A token that sees only itself gives its own value weight 1, whatever q and k are.
  if (batch.reducedRows > 0 && batch.kept.empty())
    parts.push_back(v.narrow(0, batch.contextRows, batch.reducedRows)
                        .repeat_interleave(m_spec.heads / m_spec.kvHeads, 1));
  const Tensor mixed =
      at::cat(parts, 0).reshape({batch.rows(), m_spec.heads * m_spec.headDim});
  const Tensor attn_out = arithmetic.product(mixed, m_weights.W_o);
  arithmetic.roundInPlace(attn_out);
  return attn_out;
}

/// The rows that see more than themselves: each part [rows, heads, headDim].
std::vector<Tensor> Attention::seeingRows(const Tensor& attn_in, const Tensor& v,
                                          const RowBatch& batch,
                                          const Arithmetic& arithmetic) const {
  const std::int64_t rows =
      batch.contextRows + (batch.kept.empty() ? 0 : batch.reducedRows);
  if (rows == 0) return {};
  const Tensor seeing = attn_in.narrow(0, 0, rows);
  const std::optional<RotaryEmbedding> embedding = rotaryOf(batch, seeing);
  const auto heads = [&](const Linear& W, std::int64_t count, const NormWeights& norm) {
    const Tensor projected = arithmetic.product(seeing, W);
    arithmetic.roundInPlace(projected);
    const Tensor x = normalisedHeads(projected, count, norm, arithmetic);
    if (!embedding) return x;
    const Tensor rotated = m_rotary->rotate(x, *embedding);
    arithmetic.roundInPlace(rotated);
    return rotated;
  };
  const Tensor q = heads(m_weights.W_q, m_spec.heads, m_weights.q_norm);
  const Tensor k = heads(m_weights.W_k, m_spec.kvHeads, m_weights.k_norm);
  std::vector<Tensor> parts;
  if (const std::int64_t count = batch.contextRows; count > 0) {
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

/// By how much rows are rotated; nothing where the layer does not rotate.
std::optional<RotaryEmbedding> Attention::rotaryOf(const RowBatch& batch,
                                                   const Tensor& rows) const {
  if (!m_rotary) return std::nullopt;
  std::vector<double> positions;
  for (std::int64_t row = 0; row < rows.size(0); ++row)
    positions.push_back(
        static_cast<double>(batch.firstPosition + (row < batch.contextRows ? row : 0)));
  return m_rotary->embedding(
      {at::tensor(positions, at::kDouble).to(rows.options()), batch.sequence()});
}

std::int64_t Attention::firstSeen(const RowBatch& batch) const {
  const std::int64_t window =
      m_layerSpec.window.value_or(std::numeric_limits<std::int64_t>::max());
  const std::int64_t first =
      window > batch.firstPosition ? 0 : batch.firstPosition - window + 1;
  return std::max(first, batch.visibleFrom);
}

/// q [rows, heads, headDim] against K → [kvHeads, rows·group, count].
Tensor Attention::scores(const Tensor& q, const Tensor& K, SummationOrder order) const {
  const std::int64_t rows = q.size(0), group = m_spec.heads / m_spec.kvHeads;
  const Tensor queries = q.view({rows, m_spec.kvHeads, group, m_spec.headDim})
                             .permute({1, 0, 2, 3})
                             .reshape({m_spec.kvHeads, rows * group, m_spec.headDim});
  const Tensor products = headScores(queries, K, order).mul_(m_layerSpec.attentionScale);
  if (!m_spec.attentionSoftcap) return products;
  return at::tanh(products / *m_spec.attentionSoftcap) * *m_spec.attentionSoftcap;
}

/// Scores as above over V → [rows, heads, headDim], wide and unrounded.
Tensor Attention::mixedValues(const Tensor& scores, const Tensor& V, std::int64_t rows,
                              SummationOrder order) const {
  const std::int64_t group = m_spec.heads / m_spec.kvHeads;
  return weightedValues(at::softmax(scores, -1), V, order)
      .view({m_spec.kvHeads, rows, group, m_spec.headDim})
      .permute({1, 0, 2, 3})
      .reshape({rows, m_spec.heads, m_spec.headDim});
}

/// Consecutive tokens, each over the cache up to itself.
Tensor Attention::contextRows(const Tensor& q, const RowBatch& batch,
                              SummationOrder order) const {
  const std::int64_t rows = q.size(0), end = batch.firstPosition + rows;
  const std::int64_t first = firstSeen(batch), count = end - first;
  Tensor all = scores(q, batch.cache->keys(m_layer, first, count), order);
  if (rows > 1) {
    const std::int64_t window = m_layerSpec.window.value_or(end);
    const std::int64_t group = m_spec.heads / m_spec.kvHeads;
    const auto options = at::TensorOptions(at::kLong).device(q.device());
    const Tensor i = at::arange(batch.firstPosition, end, options).unsqueeze(1);
    const Tensor j = at::arange(first, end, options).unsqueeze(0);
    const Tensor hidden = (j > i).logical_or(i - j >= window);  // [rows, count]
    all = all.view({m_spec.kvHeads, rows, group, count})
              .masked_fill(hidden.unsqueeze(1), -std::numeric_limits<float>::infinity())
              .view({m_spec.kvHeads, rows * group, count});
  }
  return mixedValues(all, batch.cache->values(m_layer, first, count), rows, order);
}

/// One token over what is kept and itself; q, k, v are its own [1, heads, headDim]. The
/// sums are those of a context row, so that with everything kept the results are the
/// same.
Tensor Attention::reducedRow(const Tensor& q, const Tensor& k, const Tensor& v,
                             const RowBatch& batch, SummationOrder order) const {
  const Tensor kept = batch.kept.from(firstSeen(batch));
  const auto withOwn = [](const Tensor& cached, const Tensor& own) {
    return at::cat({cached, own.transpose(0, 1).to(cached.scalar_type())}, 1);
  };
  const Tensor K = withOwn(batch.cache->keysAt(m_layer, kept), k);
  const Tensor V = withOwn(batch.cache->valuesAt(m_layer, kept), v);
  return mixedValues(scores(q, K, order), V, 1, order);
}

}  // namespace equipatch
