#include "core/toy/multi_head_attention.h"

#include <cmath>
#include <limits>

#include "core/toy/initial_values.h"

namespace equipatch::toy {

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

Tensor MultiHeadAttention::forward(const Tensor& queries, const Tensor& tokens,
                                   const Tensor& allowed) const {
  const Tensor q = heads(queries, W_q);
  const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(3)));
  Tensor scores = at::matmul(q * scale, heads(tokens, W_k).transpose(2, 3));
  if (allowed.defined())
    scores = scores.masked_fill(allowed.logical_not(),
                                -std::numeric_limits<double>::infinity());
  const Tensor joined =
      at::matmul(at::softmax(scores, -1), heads(tokens, W_v)).transpose(1, 2).flatten(2);
  return at::linear(joined, W_o);
}

}  // namespace equipatch::toy
