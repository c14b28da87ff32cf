#pragma once

#include <vector>

#include "core/model/torch_types.h"

namespace equipatch::toy {

/// A model's trainable tensors and their gradients, each moved into one vector: what an
/// optimiser does are then a few passes over memory, however many tensors there are. The
/// model's own tensors become views of it.
class FlatParameters {
 public:
  /// @param parameters leaves of autograd, all of one dtype; they must outlive this
  explicit FlatParameters(const std::vector<Tensor>& parameters);

  Tensor& values() { return m_values; }                    ///< [numbers]
  const Tensor& gradients() const { return m_gradients; }  ///< [numbers]
  void clearGradients() { m_gradients.zero_(); }

 private:
  Tensor m_values;
  Tensor m_gradients;
};

}  // namespace equipatch::toy
