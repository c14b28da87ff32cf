// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/toy/layers.h"

namespace equipatch::toy {

/// A layer A that reads a query x with a context C or without one [D, Definition 2.1].
class ContextualLayer {
 public:
  virtual ~ContextualLayer() = default;

  /// A(C, x). @param columns [B, N + 1, inputs], the query last
  /// @returns [B, width]
  virtual Tensor withContext(const Tensor& columns) const = 0;

  /// A(c_1 … c_i, x) for i = 0 … N: [B, N + 1, width].
  virtual Tensor withPrefixes(const Tensor& columns) const = 0;

  virtual std::vector<Tensor> parameters() const = 0;

  /// A(x): [B, width].
  Tensor alone(const Tensor& columns) const { return withContext(columns.slice(1, -1)); }
};

/// The query attends to the context and to itself: no positions, no norm, no skip.
class AttentionLayer final : public ContextualLayer {
 public:
  AttentionLayer(const AttentionShape& shape, Random& random, at::ScalarType dtype);

  Tensor withContext(const Tensor& columns) const override;
  Tensor withPrefixes(const Tensor& columns) const override;
  /// A(c_{i+1} … c_N, x) for i = 0 … N: [B, N + 1, width].
  Tensor withSuffixes(const Tensor& columns) const;
  std::vector<Tensor> parameters() const override { return m_attention.parameters(); }
  const MultiHeadAttention& attention() const { return m_attention; }

 private:
  Tensor withParts(const Tensor& columns, const Tensor& allowed) const;

  MultiHeadAttention m_attention;
};

/// A recurrent network's state after the last token, s ← tanh(W_s s + W_x c + b), from 0.
class RecurrentLayer final : public ContextualLayer {
 public:
  /// @param inputs elements of a token; @param width elements of the state
  RecurrentLayer(std::int64_t inputs, std::int64_t width, Random& random,
                 at::ScalarType dtype);

  Tensor withContext(const Tensor& columns) const override;
  Tensor withPrefixes(const Tensor& columns) const override;
  std::vector<Tensor> parameters() const override { return {W_x, W_s, b_x, b_s}; }

  Tensor W_x;       ///< [width, inputs]
  Tensor W_s;       ///< [width, width]
  Tensor b_x, b_s;  ///< [width]; at::rnn_tanh takes one for the input, one for the state

 private:
  /// After each token: [B, N, width].
  Tensor states(const Tensor& tokens) const;
};

}  // namespace equipatch::toy
