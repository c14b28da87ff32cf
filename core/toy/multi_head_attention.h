#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/model/torch_types.h"

namespace equipatch::toy {

struct AttentionShape {
  std::int64_t inputs = 3;  ///< numbers of a token
  std::int64_t width = 32;  ///< d_model
  std::int64_t heads = 8;   ///< each of d_k = width / heads

  std::int64_t headWidth() const { return width / heads; }
};

/// softmax(Q Kᵀ / √d_k) V of every head, joined by W_o. No positions, no biases.
class MultiHeadAttention {
 public:
  MultiHeadAttention(const AttentionShape& shape, Random& random, at::ScalarType dtype);

  /// What each query gets from the tokens.
  /// @param queries [B, Q, inputs]
  /// @param tokens [B, N, inputs]
  /// @param allowed [Q, N] of bool: which tokens a query sees, at least one each;
  ///        undefined: all
  /// @returns [B, Q, width]
  Tensor forward(const Tensor& queries, const Tensor& tokens,
                 const Tensor& allowed = {}) const;

  std::vector<Tensor> parameters() const { return {W_q, W_k, W_v, W_o}; }

  Tensor W_q, W_k, W_v;  ///< [width, inputs]
  Tensor W_o;            ///< [width, width]

 private:
  Tensor heads(const Tensor& tokens, const Tensor& projection) const;

  std::int64_t m_heads;
};

}  // namespace equipatch::toy
