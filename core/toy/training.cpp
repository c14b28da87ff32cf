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

}  // namespace equipatch::toy
