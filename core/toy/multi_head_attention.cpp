#include "core/toy/multi_head_attention.h"

#include <cmath>
#include <limits>

#include "core/toy/initial_values.h"

namespace equipatch::toy {
namespace {

/// ⟨q, k⟩ [B, heads, queries, tokens], −∞ where not `allowed`. The mask is what products
/// are added to: filling it in afterwards would go through all scores twice more.
Tensor maskedProducts(const Tensor& q, const Tensor& k, const Tensor& allowed) {
  if (!allowed.defined()) return at::matmul(q, k.transpose(2, 3));
  const Tensor mask =
      at::zeros(allowed.sizes(), q.options())
          .masked_fill_(allowed.logical_not(), -std::numeric_limits<double>::infinity());
  return at::baddbmm(mask, q.flatten(0, 1), k.flatten(0, 1).transpose(1, 2))
      .unflatten(0, {q.size(0), q.size(1)});
}

}  // namespace

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
  const Tensor q = heads(queries, W_q), k = heads(tokens, W_k);
  const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(3)));
  const Tensor scores = maskedProducts(q * scale, k, allowed);
  const Tensor joined =
      at::matmul(at::softmax(scores, -1), heads(tokens, W_v)).transpose(1, 2).flatten(2);
  return at::linear(joined, W_o);
}

}  // namespace equipatch::toy
