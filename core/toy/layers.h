// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// No torch::nn, because compiling its headers takes 4 s.

#include <vector>

#include "core/base/random.h"
#include "core/model/torch_types.h"

namespace equipatch::toy {

/// A trainable matrix, uniform within ±1/√columns as in torch::nn::Linear.
Tensor initialMatrix(Random& random, std::int64_t rows, std::int64_t columns,
                     at::ScalarType dtype);

/// A trainable vector.
Tensor initialVector(std::int64_t size, double value, at::ScalarType dtype);

/// Samples of the standard normal distribution; the tensor requires no gradient.
Tensor normalSamples(Random& random, at::IntArrayRef shape, at::ScalarType dtype);

struct LayerNorm {
  LayerNorm(std::int64_t width, at::ScalarType dtype);

  Tensor forward(const Tensor& x) const;

  Tensor scale, bias;  ///< [width]
};

struct MlpShape {
  std::int64_t inputs = 32;   ///< d_model
  std::int64_t hidden = 128;  ///< d_mlp
  std::int64_t outputs = 3;
};

/// W_down ReLU(W_in x + b_in) + b_down.
class Mlp {
 public:
  Mlp(const MlpShape& shape, Random& random, at::ScalarType dtype);

  /// [..., inputs] → [..., outputs]
  Tensor forward(const Tensor& x) const;
  /// As `forward`, but with a separate W_in for each row.
  /// @param rowW_in [B, hidden, inputs]; @param x [B, inputs]
  Tensor forwardWith(const Tensor& rowW_in, const Tensor& x) const;

  std::vector<Tensor> parameters() const { return {W_in, b_in, W_down, b_down}; }

  Tensor W_in;    ///< [hidden, inputs]
  Tensor b_in;    ///< [hidden]
  Tensor W_down;  ///< [outputs, hidden]
  Tensor b_down;  ///< [outputs]
};

struct AttentionShape {
  std::int64_t inputs = 3;  ///< elements of a token
  std::int64_t width = 32;  ///< d_model
  std::int64_t heads = 8;   ///< divides width; d_k = width / heads
};

/// softmax(Q Kᵀ / √d_k) V of every head, joined by W_o. No positional encoding or biases.
class MultiHeadAttention {
 public:
  MultiHeadAttention(const AttentionShape& shape, Random& random, at::ScalarType dtype);

  /// @param queries [B, Q, inputs]
  /// @param tokens [B, N, inputs], for keys and values
  /// @param allowed [Q, N] of bool: the tokens to which a query attends, at least one for
  ///        each query; undefined: all tokens
  /// @returns [B, Q, width]
  Tensor forward(const Tensor& queries, const Tensor& tokens,
                 const Tensor& allowed = {}) const;

  std::vector<Tensor> parameters() const { return {W_q, W_k, W_v, W_o}; }

  Tensor W_q, W_k, W_v;  ///< [width, inputs]
  Tensor W_o;            ///< [width, width]

 private:
  Tensor heads(const Tensor& tokens, const Tensor& projection) const;
  Tensor ofOneQuery(const Tensor& q, const Tensor& tokens) const;

  std::int64_t m_heads;
};

}  // namespace equipatch::toy
