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

AttentionLayer::AttentionLayer(const AttentionShape& shape, Random& random,
                               at::ScalarType dtype)
    : m_attention(shape, random, dtype) {}

Tensor AttentionLayer::withContext(const Tensor& columns) const {
  return m_attention.forward(columns.slice(1, -1), columns).squeeze(1);
}

/// The query with each part of its context. @param allowed [parts, N + 1]
Tensor AttentionLayer::withParts(const Tensor& columns, const Tensor& allowed) const {
  const Tensor queries = columns.slice(1, -1).expand({-1, allowed.size(0), -1});
  return m_attention.forward(queries, columns, allowed);
}

Tensor AttentionLayer::withPrefixes(const Tensor& columns) const {
  const std::int64_t tokens = columns.size(1);
  Tensor allowed = at::ones({tokens, tokens}, at::kBool).tril(-1);
  allowed.select(1, tokens - 1).fill_(true);  // the query itself
  return withParts(columns, allowed);
}

Tensor AttentionLayer::withSuffixes(const Tensor& columns) const {
  const std::int64_t tokens = columns.size(1);
  return withParts(columns, at::ones({tokens, tokens}, at::kBool).triu());
}

RecurrentLayer::RecurrentLayer(std::int64_t inputs, std::int64_t width, Random& random,
                               at::ScalarType dtype)
    : W_x(initialMatrix(random, width, inputs, dtype)),
      W_s(initialMatrix(random, width, width, dtype)),
      b_x(initialVector(width, 0.0, dtype)),
      b_s(initialVector(width, 0.0, dtype)) {}

Tensor RecurrentLayer::states(const Tensor& tokens) const {
  const Tensor start = at::zeros({1, tokens.size(0), W_s.size(0)}, tokens.options());
  const auto [all, last] = at::rnn_tanh(
      tokens, start, {W_x, W_s, b_x, b_s}, /*has_biases=*/true, /*num_layers=*/1,
      /*dropout=*/0.0, /*train=*/true, /*bidirectional=*/false, /*batch_first=*/true);
  return all;
}

Tensor RecurrentLayer::withContext(const Tensor& columns) const {
  return states(columns).select(1, -1);
}

Tensor RecurrentLayer::withPrefixes(const Tensor& columns) const {
  const Tensor start = at::zeros({columns.size(0), 1, W_s.size(0)}, columns.options());
  const Tensor before =
      columns.size(1) > 1 ? at::cat({start, states(columns.slice(1, 0, -1))}, 1) : start;
  return at::tanh(at::linear(columns.slice(1, -1), W_x, b_x) +
                  at::linear(before, W_s, b_s));
}

}  // namespace equipatch::toy
