// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/model/torch_types.h"
#include "core/toy/in_context_regression.h"

namespace equipatch::toy {

// torch::optim::Adam is not used, because its step takes seven times as long.

/// Joins a model's trainable tensors in one vector and their gradients in another, so
/// that an optimiser step takes few operations. The tensors and their gradients become
/// views of these vectors.
class FlatParameters {
 public:
  /// @param parameters leaf tensors of one dtype that require gradients
  explicit FlatParameters(const std::vector<Tensor>& parameters);

  Tensor& values() { return m_values; }                    ///< [parameters]
  const Tensor& gradients() const { return m_gradients; }  ///< [parameters]
  void clearGradients() { m_gradients.zero_(); }

 private:
  Tensor m_values;
  Tensor m_gradients;
};

struct AdamOptions {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

/// Adam [Kingma and Ba, arXiv 1412.6980, Algorithm 1].
class Adam {
 public:
  Adam(const std::vector<Tensor>& parameters, AdamOptions options);

  /// Also sets the gradients to 0.
  void step();
  void setRate(double rate) { m_options.rate = rate; }

 private:
  FlatParameters m_parameters;
  AdamOptions m_options;
  Tensor m_mean;     ///< decaying mean of the gradient
  Tensor m_squares;  ///< decaying mean of the squared gradient
  std::int64_t m_steps = 0;
};

struct TrainingPlan {
  TaskShape batch;
  std::int64_t steps = 1000;
  std::int64_t warmup = 0;  ///< steps over which the rate rises linearly to `rate`
  double rate = 1e-3;
  std::uint64_t seed = 0;
  at::ScalarType dtype = at::kFloat;
};

/// Trains by Adam on new tasks in every step. A step's tasks depend only on the seed and
/// the index of the step.
class Training {
 public:
  using Loss = std::function<Tensor(const LinearTasks&)>;

  Training(const std::vector<Tensor>& parameters, Loss loss, TrainingPlan plan);

  const TrainingPlan& plan() const { return m_plan; }
  std::int64_t taken() const { return m_taken; }
  bool done() const { return m_taken >= m_plan.steps; }

  /// @returns the loss of the batch before the update
  /// @throws Error{Numeric} when the loss is not finite; the weights are then unchanged.
  double step();

 private:
  Adam m_adam;
  Loss m_loss;
  TrainingPlan m_plan;
  std::int64_t m_taken = 0;
};

}  // namespace equipatch::toy
