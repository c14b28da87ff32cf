// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/layers.h"

#include <cmath>
#include <limits>

namespace equipatch::toy {
namespace {

/// Sampled in float64, so that a seed gives the same values in every dtype.
template <typename Sample>
Tensor filled(at::IntArrayRef shape, at::ScalarType dtype, Sample sample) {
  Tensor values = at::empty(shape, at::kDouble);
  double* data = values.data_ptr<double>();
  for (std::int64_t i = 0; i < values.numel(); ++i) data[i] = sample();
  return values.to(dtype);
}

/// ⟨q, k⟩ [B, heads, queries, tokens], −∞ where not `allowed`. baddbmm adds the products
/// to the mask, which saves two passes over the scores.
Tensor attentionScores(const Tensor& q, const Tensor& k, const Tensor& allowed) {
  if (!allowed.defined()) return at::matmul(q, k.transpose(2, 3));
  const Tensor mask =
      at::zeros(allowed.sizes(), q.options())
          .masked_fill_(allowed.logical_not(), -std::numeric_limits<double>::infinity());
  return at::baddbmm(mask, q.flatten(0, 1), k.flatten(0, 1).transpose(1, 2))
      .unflatten(0, {q.size(0), q.size(1)});
}

}  // namespace

Tensor initialMatrix(Random& random, std::int64_t rows, std::int64_t columns,
                     at::ScalarType dtype) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(columns));
  return filled({rows, columns}, dtype,
                [&] { return bound * (2.0 * random.uniform() - 1.0); })
      .requires_grad_(true);
}

Tensor initialVector(std::int64_t size, double value, at::ScalarType dtype) {
  return at::full({size}, value, dtype).requires_grad_(true);
}

Tensor normalSamples(Random& random, at::IntArrayRef shape, at::ScalarType dtype) {
  return filled(shape, dtype, [&] { return random.normal(); });
}

LayerNorm::LayerNorm(std::int64_t width, at::ScalarType dtype)
    : scale(initialVector(width, 1.0, dtype)), bias(initialVector(width, 0.0, dtype)) {}

Tensor LayerNorm::forward(const Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, scale, bias);
}

Mlp::Mlp(const MlpShape& shape, Random& random, at::ScalarType dtype)
    : W_in(initialMatrix(random, shape.hidden, shape.inputs, dtype)),
      b_in(initialVector(shape.hidden, 0.0, dtype)),
      W_down(initialMatrix(random, shape.outputs, shape.hidden, dtype)),
      b_down(initialVector(shape.outputs, 0.0, dtype)) {}

Tensor Mlp::forward(const Tensor& x) const {
  return at::linear(at::relu(at::linear(x, W_in, b_in)), W_down, b_down);
}

Tensor Mlp::forwardWith(const Tensor& rowW_in, const Tensor& x) const {
  const Tensor product = at::matmul(rowW_in, x.unsqueeze(-1)).squeeze(-1);
  return at::linear(at::relu(product + b_in), W_down, b_down);
}

MultiHeadAttention::MultiHeadAttention(const AttentionShape& shape, Random& random,
                                       at::ScalarType dtype)
    : W_q(initialMatrix(random, shape.width, shape.inputs, dtype)),
      W_k(initialMatrix(random, shape.width, shape.inputs, dtype)),
      W_v(initialMatrix(random, shape.width, shape.inputs, dtype)),
      W_o(initialMatrix(random, shape.width, shape.width, dtype)),
      m_heads(shape.heads) {}

/// [B, N, inputs] → [B, heads, N, d_k]
Tensor MultiHeadAttention::heads(const Tensor& tokens, const Tensor& projection) const {
  return at::linear(tokens, projection).unflatten(2, {m_heads, -1}).transpose(1, 2);
}

/// One query per sequence. ⟨q, W_k x⟩ = ⟨W_kᵀ q, x⟩ and Σ α W_v x = W_v Σ α x save the
/// tokens' keys and values. All heads share one product per sequence, because libtorch
/// computes batched products one by one on the CPU.
/// @param q [B, heads, 1, d_k], scaled @returns [B, heads, d_k]
Tensor MultiHeadAttention::ofOneQuery(const Tensor& q, const Tensor& tokens) const {
  const Tensor byHead = q.squeeze(2).transpose(0, 1);  // [heads, B, d_k]
  const Tensor keyed = at::bmm(byHead, W_k.unflatten(0, {m_heads, -1})).transpose(0, 1);
  const Tensor weights = at::softmax(at::bmm(keyed, tokens.transpose(1, 2)), -1);
  const Tensor mean = at::bmm(weights, tokens).transpose(0, 1);  // [heads, B, inputs]
  return at::bmm(mean, W_v.unflatten(0, {m_heads, -1}).transpose(1, 2)).transpose(0, 1);
}

Tensor MultiHeadAttention::forward(const Tensor& queries, const Tensor& tokens,
                                   const Tensor& allowed) const {
  const Tensor q = heads(queries, W_q);
  const Tensor scaled = q / std::sqrt(static_cast<double>(q.size(3)));
  if (queries.size(1) == 1 && !allowed.defined())
    return at::linear(ofOneQuery(scaled, tokens).flatten(1), W_o).unsqueeze(1);
  const Tensor scores = attentionScores(scaled, heads(tokens, W_k), allowed);
  const Tensor joined =
      at::matmul(at::softmax(scores, -1), heads(tokens, W_v)).transpose(1, 2).flatten(2);
  return at::linear(joined, W_o);
}

}  // namespace equipatch::toy
