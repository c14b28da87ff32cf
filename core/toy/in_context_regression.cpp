// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/in_context_regression.h"

#include "core/toy/implicit_update.h"
#include "core/toy/layers.h"

namespace equipatch::toy {

LinearTasks sampleTasks(Random& random, const TaskShape& shape, at::ScalarType dtype) {
  const Tensor omega =
      normalSamples(random, {shape.tasks, shape.dimension, 1}, at::kDouble);
  const Tensor x =
      normalSamples(random, {shape.tasks, shape.tokens(), shape.dimension}, at::kDouble);
  const Tensor y = at::matmul(x, omega);  // [tasks, tokens, 1]
  const Tensor answers = y.select(1, shape.pairs).squeeze(-1).clone();
  y.select(1, shape.pairs).zero_();
  return {at::cat({x, y}, 2).to(dtype), answers.to(dtype)};
}

std::vector<Tensor> InContextModel::parameters() const {
  std::vector<Tensor> all = m_layer->parameters();
  for (const Tensor& parameter : m_mlp.parameters()) all.push_back(parameter);
  return all;
}

Tensor InContextModel::answer(const Tensor& mlpIn) const {
  return m_mlp.forward(mlpIn).select(-1, -1);
}

Tensor InContextModel::answerWith(const Tensor& rowW_in, const Tensor& mlpIn) const {
  return m_mlp.forwardWith(rowW_in, mlpIn).select(-1, -1);
}

Tensor InContextModel::loss(const LinearTasks& tasks) const {
  return at::mse_loss(predict(tasks.columns), tasks.answers);
}

Tensor InContextModel::predictPatched(const Tensor& columns) const {
  const Tensor z = m_layer->alone(columns), z_C = m_layer->withContext(columns);
  return answerWith(m_mlp.W_in + implicitUpdate(m_mlp.W_in, z_C, z), z);
}

}  // namespace equipatch::toy
