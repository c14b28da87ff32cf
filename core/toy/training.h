#pragma once

#include <functional>

#include "core/toy/adam.h"
#include "core/toy/linear_tasks.h"

namespace equipatch::toy {

struct TrainingPlan {
  TaskShape batch;
  std::int64_t steps = 1000;
  std::int64_t warmup = 0;  ///< steps in which the rate grows to its full size
  double rate = 1e-3;
  std::uint64_t seed = 0;
  at::ScalarType dtype = at::kFloat;
};

/// Adam on fresh tasks. A step depends on seed and number alone, so that a training may
/// be held between any two.
class Training {
 public:
  using Loss = std::function<Tensor(const LinearTasks&)>;

  Training(const std::vector<Tensor>& parameters, Loss loss, TrainingPlan plan);

  const TrainingPlan& plan() const { return m_plan; }
  std::int64_t taken() const { return m_taken; }
  bool done() const { return m_taken >= m_plan.steps; }

  /// One batch. @returns its loss before the weights moved.
  /// @throws Error{Numeric} when it is not finite.
  double step();

 private:
  Adam m_adam;
  Loss m_loss;
  TrainingPlan m_plan;
  std::int64_t m_taken = 0;
};

}  // namespace equipatch::toy
