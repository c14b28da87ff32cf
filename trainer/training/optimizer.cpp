// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"

namespace equipatch {

double Adamw::step(TrainingState& state, std::span<const float> gradient,
                   double learningRate) const {
  double squares = 0;
  for (const float g : gradient) squares += static_cast<double>(g) * g;
  const double norm = std::sqrt(squares);
  if (!std::isfinite(norm))
    throw Error(ErrorKind::Numeric,
                "the gradient of step " + std::to_string(state.step) +
                    " is not finite; train with a smaller learning rate");
  const auto count = static_cast<double>(++state.step);
  Rates rates = {
      .step = static_cast<float>(learningRate / (1 - std::pow(m_options.beta1, count))),
      .unbias = static_cast<float>(1 / (1 - std::pow(m_options.beta2, count))),
      .clip = static_cast<float>(std::min(1.0, m_options.clip / norm))};
  for (const Parameter& parameter : m_layout) {
    const bool decays = parameter.kind == ParameterKind::Matrix;
    rates.decay = decays ? static_cast<float>(learningRate) * m_options.decay : 0;
    update(parameter, rates, gradient, state);
  }
  return norm;
}

void Adamw::update(const Parameter& parameter, const Rates& rates,
                   std::span<const float> gradient, TrainingState& state) const {
  const float newAverage = 1 - m_options.beta1;
  const float newSquare = 1 - m_options.beta2;
  const auto begin = static_cast<std::size_t>(parameter.offset);
  const auto end = begin + static_cast<std::size_t>(parameter.count);
  for (std::size_t i = begin; i < end; ++i) {
    const float g = gradient[i] * rates.clip;
    float& expAvg = state.expAvg[i];
    float& expAvgSq = state.expAvgSq[i];
    float& value = state.parameters[i];
    expAvg += newAverage * (g - expAvg);
    expAvgSq += newSquare * (g * g - expAvgSq);
    value -=
        rates.step * expAvg / (std::sqrt(expAvgSq * rates.unbias) + m_options.epsilon) +
        rates.decay * value;
  }
}

}  // namespace equipatch
