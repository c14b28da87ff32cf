// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/torch_types.h"

namespace equipatch::toy {

// Own code: torch::optim::Adam rounds differently and needs 95 µs a step instead of 14.

/// A model's trainable tensors and their gradients, each copied into one vector, so that
/// an optimiser step takes a few operations however many tensors there are. The model's
/// tensors become views of these vectors.
class FlatParameters {
 public:
  /// @param parameters leaf tensors of one dtype that require gradients; their storage
  ///        is replaced
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

  /// Updates the parameters from their gradients, then sets the gradients to 0.
  void step();
  void setRate(double rate) { m_options.rate = rate; }

 private:
  FlatParameters m_parameters;
  AdamOptions m_options;
  Tensor m_mean;     ///< decaying mean of the gradient
  Tensor m_squares;  ///< decaying mean of the squared gradient
  std::int64_t m_steps = 0;
};

}  // namespace equipatch::toy
