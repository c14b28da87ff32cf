#include "core/toy/linear_tasks.h"

#include "core/toy/initial_values.h"

namespace equipatch::toy {

LinearTasks drawTasks(Random& random, const TaskShape& shape, at::ScalarType dtype) {
  const Tensor omega =
      normalDraws(random, {shape.tasks, shape.dimension, 1}, at::kDouble);
  const Tensor x =
      normalDraws(random, {shape.tasks, shape.tokens(), shape.dimension}, at::kDouble);
  const Tensor y = at::matmul(x, omega);  // [tasks, tokens, 1]
  const Tensor answers = y.select(1, shape.pairs).squeeze(-1).clone();
  y.select(1, shape.pairs).zero_();
  return {at::cat({x, y}, 2).to(dtype), answers.to(dtype)};
}

}  // namespace equipatch::toy
