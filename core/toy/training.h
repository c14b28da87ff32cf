// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/toy/adam.h"
#include "core/toy/in_context_regression.h"

namespace equipatch::toy {

struct TrainingPlan {
  TaskShape batch;
  std::int64_t steps = 1000;
  std::int64_t warmup = 0;  ///< steps over which the rate rises to its full size
  double rate = 1e-3;
  std::uint64_t seed = 0;
  at::ScalarType dtype = at::kFloat;
};

/// Adam on new tasks in every step. A step's tasks depend only on seed and step index, so
/// a training can be paused between any two steps.
class Training {
 public:
  using Loss = std::function<Tensor(const LinearTasks&)>;

  Training(const std::vector<Tensor>& parameters, Loss loss, TrainingPlan plan);

  const TrainingPlan& plan() const { return m_plan; }
  std::int64_t taken() const { return m_taken; }
  bool done() const { return m_taken >= m_plan.steps; }

  /// Trains on one batch. @returns its loss before the update.
  /// @throws Error{Numeric} when it is not finite.
  double step();

 private:
  Adam m_adam;
  Loss m_loss;
  TrainingPlan m_plan;
  std::int64_t m_taken = 0;
};

}  // namespace equipatch::toy
