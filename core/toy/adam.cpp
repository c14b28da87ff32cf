#include "core/toy/adam.h"

#include <cmath>

namespace equipatch::toy {

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
  // Both corrections for the start at zero, as factors of the rate and of epsilon.
  const double lift = std::sqrt(1.0 - std::pow(m_options.beta2, steps));
  const double rate = m_options.rate * lift / (1.0 - std::pow(m_options.beta1, steps));
  m_parameters.values().addcdiv_(m_mean, m_squares.sqrt().add_(m_options.epsilon * lift),
                                 -rate);
  m_parameters.clearGradients();
}

}  // namespace equipatch::toy
