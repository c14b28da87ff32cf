#include "core/toy/in_context_model.h"

#include "core/toy/implicit_update.h"

namespace equipatch::toy {

std::vector<Tensor> InContextModel::parameters() const {
  std::vector<Tensor> all = m_layer->parameters();
  for (const Tensor& parameter : m_mlp.parameters()) all.push_back(parameter);
  return all;
}

Tensor InContextModel::answer(const Tensor& z) const {
  return m_mlp.forward(z).select(-1, -1);
}

Tensor InContextModel::answerWith(const Tensor& ownW_in, const Tensor& z) const {
  return m_mlp.forwardWith(ownW_in, z).select(-1, -1);
}

Tensor InContextModel::loss(const LinearTasks& tasks) const {
  return at::mse_loss(predict(tasks.columns), tasks.answers);
}

Tensor InContextModel::predictPatched(const Tensor& columns) const {
  const Tensor z = m_layer->alone(columns), z_C = m_layer->withContext(columns);
  return answerWith(m_mlp.W_in + implicitUpdate(m_mlp.W_in, z_C, z), z);
}

}  // namespace equipatch::toy
