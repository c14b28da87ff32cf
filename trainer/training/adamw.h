#pragma once

#include <span>
#include <vector>

#include "trainer/network/parameter_layout.h"
#include "trainer/training/training_state.h"

namespace equipatch {

struct AdamwOptions {
  float beta1 = 0.9f;
  float beta2 = 0.98f;
  float epsilon = 1e-8f;
  float decay = 0.1f;  ///< of matrices, per step and learning rate
  float clip = 1.0f;   ///< largest norm of the gradient
};

/// AdamW (Loshchilov and Hutter, 2019) on the vector of all parameters.
class Adamw {
 public:
  Adamw(const ParameterLayout& layout, const AdamwOptions& options)
      : m_layout(layout.parameters()), m_options(options) {}

  /// Changes parameters and running means of `state`, whose step counts from 0; returns
  /// the gradient's norm before it was clipped.
  double step(TrainingState& state, std::span<const float> gradient,
              double learningRate) const;

 private:
  struct Rates {
    float step = 0;      ///< learning rate over the first moment's bias
    float decay = 0;     ///< share of a parameter that goes
    float unbias = 0;    ///< 1 over the second moment's bias
    float gradient = 0;  ///< factor that clips
  };
  void update(const Parameter& parameter, const Rates& rates,
              std::span<const float> gradient, TrainingState& state) const;

  std::vector<Parameter> m_layout;
  AdamwOptions m_options;
};

}  // namespace equipatch
