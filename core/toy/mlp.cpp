#include "core/toy/mlp.h"

#include "core/toy/initial_values.h"

namespace equipatch::toy {

Mlp::Mlp(const MlpShape& shape, Random& random, at::ScalarType dtype)
    : W_in(initialMatrix(random, shape.hidden, shape.inputs, dtype)),
      b_in(initialVector(shape.hidden, 0.0, dtype)),
      W_down(initialMatrix(random, shape.outputs, shape.hidden, dtype)),
      b_down(initialVector(shape.outputs, 0.0, dtype)) {}

Tensor Mlp::forward(const Tensor& z) const {
  return at::linear(at::relu(at::linear(z, W_in, b_in)), W_down, b_down);
}

Tensor Mlp::forwardWith(const Tensor& ownW_in, const Tensor& z) const {
  return afterFirst(at::matmul(ownW_in, z.unsqueeze(-1)).squeeze(-1));
}

Tensor Mlp::afterFirst(const Tensor& product) const {
  return at::linear(at::relu(product + b_in), W_down, b_down);
}

}  // namespace equipatch::toy
