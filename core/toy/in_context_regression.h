// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
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

/// The query attends to the context and itself; no positional encoding, norm or skip
/// connection.
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

/// A recurrent network's state after the last token: s ← tanh(W_s s + W_x c + b_x + b_s),
/// starting from s = 0.
class RecurrentLayer final : public ContextualLayer {
 public:
  RecurrentLayer(std::int64_t inputs, std::int64_t width, Random& random,
                 at::ScalarType dtype);

  Tensor withContext(const Tensor& columns) const override;
  Tensor withPrefixes(const Tensor& columns) const override;
  std::vector<Tensor> parameters() const override { return {W_x, W_s, b_x, b_s}; }

  Tensor W_x;       ///< [width, inputs]
  Tensor W_s;       ///< [width, width]
  Tensor b_x, b_s;  ///< [width]; at::rnn_tanh requires both

 private:
  /// @returns [B, tokens, width]
  Tensor states(const Tensor& tokens) const;
};

struct TaskShape {
  std::int64_t tasks = 32;   ///< one prompt each
  std::int64_t pairs = 100;  ///< N, in each context
  std::int64_t dimension = 2;

  std::int64_t tokens() const { return pairs + 1; }
};

/// In-context linear regression: each task has its own ω; x, ω ~ N(0, I_d).
struct LinearTasks {
  /// [tasks, pairs + 1, dimension + 1]: the pairs (x_i, ⟨ω, x_i⟩), then the query (x, 0).
  Tensor columns;
  Tensor answers;  ///< [tasks], ⟨ω, x⟩
};

LinearTasks sampleTasks(Random& random, const TaskShape& shape, at::ScalarType dtype);

/// T(C, x) = MLP(A(C, x)): the block of the experiments in [D]. The last element of the
/// MLP's output is the answer. `mlpIn` [B, width] is A(C, x) or A(x).
class InContextModel {
 public:
  InContextModel(std::unique_ptr<ContextualLayer> layer, Mlp mlp)
      : m_layer(std::move(layer)), m_mlp(std::move(mlp)) {}

  const ContextualLayer& layer() const { return *m_layer; }
  const Mlp& mlp() const { return m_mlp; }
  std::vector<Tensor> parameters() const;

  /// @returns [B]
  Tensor answer(const Tensor& mlpIn) const;
  /// As `answer`, with a separate W_in for each row. @param rowW_in [B, hidden, width]
  Tensor answerWith(const Tensor& rowW_in, const Tensor& mlpIn) const;

  /// With the whole context. @param columns [B, N + 1, inputs] @returns [B]
  Tensor predict(const Tensor& columns) const {
    return answer(m_layer->withContext(columns));
  }
  /// Mean squared error.
  Tensor loss(const LinearTasks& tasks) const;

  /// From the query alone, with W_in + ΔW [D, Theorem 2.2]. @returns [B]
  Tensor predictPatched(const Tensor& columns) const;

 private:
  std::unique_ptr<ContextualLayer> m_layer;
  Mlp m_mlp;
};

}  // namespace equipatch::toy
