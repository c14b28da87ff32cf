#pragma once

#include <memory>

#include "core/toy/contextual_layer.h"
#include "core/toy/linear_tasks.h"
#include "core/toy/mlp.h"

namespace equipatch::toy {

/// T(C, x) = MLP(A(C, x)): the block of the first paper's experiments. Its answer is the
/// last number of the output.
class InContextModel {
 public:
  InContextModel(std::unique_ptr<ContextualLayer> layer, Mlp mlp)
      : m_layer(std::move(layer)), m_mlp(std::move(mlp)) {}

  const ContextualLayer& layer() const { return *m_layer; }
  const Mlp& mlp() const { return m_mlp; }
  std::vector<Tensor> parameters() const;

  /// The answers [B] that weights W_in give to z [B, width].
  Tensor answer(const Tensor& z) const;
  /// The same with an input projection [B, hidden, width] of its own for each.
  Tensor answerWith(const Tensor& ownW_in, const Tensor& z) const;

  /// Answers [B] with the whole context, columns [B, N + 1, inputs].
  Tensor predict(const Tensor& columns) const {
    return answer(m_layer->withContext(columns));
  }
  /// Mean square of what the answers miss.
  Tensor loss(const LinearTasks& tasks) const;

  /// Answers [B] of W_in + ΔW to the query alone [D, Theorem 2.2].
  Tensor predictPatched(const Tensor& columns) const;

 private:
  std::unique_ptr<ContextualLayer> m_layer;
  Mlp m_mlp;
};

}  // namespace equipatch::toy
