// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/random.h"
#include "core/toy/contextual_layer.h"
#include "core/toy/layers.h"

namespace equipatch::toy {

struct TaskShape {
  std::int64_t tasks = 32;   ///< prompts, one task each
  std::int64_t pairs = 100;  ///< N, the context
  std::int64_t dimension = 2;

  std::int64_t tokens() const { return pairs + 1; }
};

/// In-context linear regression: each task has its own ω; x, ω ~ N(0, I_d).
struct LinearTasks {
  /// [tasks, pairs + 1, dimension + 1]: the pairs (x_i, ⟨ω, x_i⟩), then the query (x, 0).
  Tensor columns;
  Tensor answers;  ///< [tasks], ⟨ω, x⟩ of the query
};

LinearTasks sampleTasks(Random& random, const TaskShape& shape, at::ScalarType dtype);

/// T(C, x) = MLP(A(C, x)): the block of the first paper's experiments. Its answer is the
/// last element of the output. mlp_in is A(C, x), [B, width].
class InContextModel {
 public:
  InContextModel(std::unique_ptr<ContextualLayer> layer, Mlp mlp)
      : m_layer(std::move(layer)), m_mlp(std::move(mlp)) {}

  const ContextualLayer& layer() const { return *m_layer; }
  const Mlp& mlp() const { return m_mlp; }
  std::vector<Tensor> parameters() const;

  /// Answers [B] of the trained weights.
  Tensor answer(const Tensor& mlpIn) const;
  /// Answers [B] with a separate input projection for each row,
  /// rowW_in [B, hidden, width].
  Tensor answerWith(const Tensor& rowW_in, const Tensor& mlpIn) const;

  /// Answers [B] with the whole context, columns [B, N + 1, inputs].
  Tensor predict(const Tensor& columns) const {
    return answer(m_layer->withContext(columns));
  }
  /// Mean squared error of the answers.
  Tensor loss(const LinearTasks& tasks) const;

  /// Answers [B] of W_in + ΔW to the query alone [D, Theorem 2.2].
  Tensor predictPatched(const Tensor& columns) const;

 private:
  std::unique_ptr<ContextualLayer> m_layer;
  Mlp m_mlp;
};

}  // namespace equipatch::toy
