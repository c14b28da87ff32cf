// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "trainer/network/network.h"
#include "trainer/training/training_files.h"

namespace equipatch {

/// Learning rate: linear warm-up, then cosine decay.
struct Schedule {
  double peak = 3e-3;
  double final = 1e-4;        ///< at the end, but never above `peak`
  std::int64_t warmUp = 300;  ///< steps
  std::int64_t steps = 0;     ///< of the whole training

  double rate(std::int64_t step) const {
    if (step < warmUp)
      return peak * static_cast<double>(step + 1) / static_cast<double>(warmUp);
    const double done = static_cast<double>(step - warmUp) /
                        static_cast<double>(std::max<std::int64_t>(1, steps - warmUp));
    const double last = std::min(final, peak);
    return last +
           (peak - last) * 0.5 * (1 + std::cos(std::numbers::pi * std::min(1.0, done)));
  }
};

struct AdamwOptions {
  float beta1 = 0.9f;
  float beta2 = 0.98f;
  float epsilon = 1e-8f;
  float decay = 0.1f;  ///< weight decay of matrices
  float clip = 1.0f;   ///< largest norm of the gradient
};

/// AdamW (Loshchilov and Hutter, 2019) on the vector of all parameters.
class Adamw {
 public:
  Adamw(const std::vector<Parameter>& layout, const AdamwOptions& options)
      : m_layout(layout), m_options(options) {}

  /// Updates the parameters and moment estimates of `state` and adds 1 to `state.step`,
  /// which is 0 before the first update.
  /// @returns the gradient's norm before clipping
  /// @throws Error{Numeric}, with `state` unchanged, if the norm is not finite
  double step(TrainingState& state, std::span<const float> gradient,
              double learningRate) const;

 private:
  struct Rates {
    float step = 0;    ///< learning rate with the first moment's bias correction
    float decay = 0;   ///< the fraction of its value that a parameter loses
    float unbias = 0;  ///< the second moment's bias correction
    float clip = 1;    ///< the factor that clips the gradient
  };
  void update(const Parameter& parameter, const Rates& rates,
              std::span<const float> gradient, TrainingState& state) const;

  std::vector<Parameter> m_layout;
  AdamwOptions m_options;
};

}  // namespace equipatch
