#pragma once

#include "core/base/random.h"
#include "core/model/torch_types.h"

namespace equipatch::toy {

/// How many prompts of which size.
struct TaskShape {
  std::int64_t tasks = 32;
  std::int64_t pairs = 100;  ///< N, the context
  std::int64_t dimension = 2;

  std::int64_t tokens() const { return pairs + 1; }
  std::int64_t columnSize() const { return dimension + 1; }
};

/// Linear regression in context: each task has an ω of its own, x, ω ~ N(0, I_d).
struct LinearTasks {
  /// [tasks, pairs + 1, dimension + 1]: the pairs (x_i, ⟨ω, x_i⟩), then the query (x, 0).
  Tensor columns;
  Tensor answers;  ///< [tasks], ⟨ω, x⟩ of the query

  Tensor query() const { return columns.slice(1, -1); }  ///< [tasks, 1, dimension + 1]
};

LinearTasks drawTasks(Random& random, const TaskShape& shape, at::ScalarType dtype);

}  // namespace equipatch::toy
