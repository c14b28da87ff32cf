#pragma once

#include "core/toy/flat_parameters.h"

namespace equipatch::toy {

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

  /// Moves the parameters by their gradients, which it clears.
  void step();
  void setRate(double rate) { m_options.rate = rate; }

 private:
  FlatParameters m_parameters;
  AdamOptions m_options;
  Tensor m_mean;     ///< of the gradient, decaying
  Tensor m_squares;  ///< of its square
  std::int64_t m_steps = 0;
};

}  // namespace equipatch::toy
