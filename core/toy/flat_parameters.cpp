#include "core/toy/flat_parameters.h"

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
    // Autograd adds to a gradient that is already there, in place.
    parameter.mutable_grad() = own(m_gradients);
    offset += count;
  }
}

}  // namespace equipatch::toy
