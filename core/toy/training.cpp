// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/training.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace equipatch::toy {

Training::Training(const std::vector<Tensor>& parameters, Loss loss, TrainingPlan plan)
    : m_adam(parameters, {.rate = plan.rate}), m_loss(std::move(loss)), m_plan(plan) {}

double Training::step() {
  Random random(m_plan.seed, static_cast<std::uint64_t>(m_taken));
  ++m_taken;
  if (m_plan.warmup > 0)
    m_adam.setRate(m_plan.rate * std::min(1.0, static_cast<double>(m_taken) /
                                                   static_cast<double>(m_plan.warmup)));
  const Tensor loss = m_loss(sampleTasks(random, m_plan.batch, m_plan.dtype));
  const double value = loss.item<double>();
  if (!std::isfinite(value))
    throw Error(ErrorKind::Numeric, "the training loss is not finite at step " +
                                        std::to_string(m_taken) +
                                        "; choose a smaller learning rate");
  loss.backward();
  m_adam.step();
  return value;
}

FlatParameters::FlatParameters(const std::vector<Tensor>& parameters) {
  const at::NoGradGuard noGradients;
  std::vector<Tensor> parts;
  for (const Tensor& parameter : parameters) parts.push_back(parameter.flatten());
  m_values = at::cat(parts);
  m_gradients = at::zeros_like(m_values);
  std::int64_t offset = 0;
  for (const Tensor& parameter : parameters) {
    const std::int64_t count = parameter.numel();
    const auto own = [&](const Tensor& flat) {
      return flat.narrow(0, offset, count).view(parameter.sizes());
    };
    parameter.set_data(own(m_values));
    // Autograd accumulates in place into an existing gradient.
    parameter.mutable_grad() = own(m_gradients);
    offset += count;
  }
}

Adam::Adam(const std::vector<Tensor>& parameters, AdamOptions options)
    : m_parameters(parameters),
      m_options(options),
      m_mean(at::zeros_like(m_parameters.values())),
      m_squares(at::zeros_like(m_parameters.values())) {}

void Adam::step() {
  const at::NoGradGuard noGradients;
  const Tensor& gradient = m_parameters.gradients();
  const auto steps = static_cast<double>(++m_steps);
  m_mean.lerp_(gradient, 1.0 - m_options.beta1);
  m_squares.mul_(m_options.beta2).addcmul_(gradient, gradient, 1.0 - m_options.beta2);
  // Both bias corrections, as factors of the rate and of epsilon.
  const double correction = std::sqrt(1.0 - std::pow(m_options.beta2, steps));
  const double rate =
      m_options.rate * correction / (1.0 - std::pow(m_options.beta1, steps));
  m_parameters.values().addcdiv_(
      m_mean, m_squares.sqrt().add_(m_options.epsilon * correction), -rate);
  m_parameters.clearGradients();
}

}  // namespace equipatch::toy
