// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/adam.h"

#include <cmath>

namespace equipatch::toy {

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
