#pragma once

#include "core/model/torch_types.h"

namespace equipatch {

/// What work(from, to) makes of x on the host: from x's numbers, in order, to those of a
/// new tensor of these sizes. Both are x's type, float or double.
template <typename Work>
Tensor hostResult(const Tensor& x, at::IntArrayRef sizes, const Work& work) {
  const Tensor from = x.contiguous();
  const Tensor to = at::empty(sizes, from.options());
  if (from.scalar_type() == at::kDouble)
    work(from.data_ptr<double>(), to.data_ptr<double>());
  else
    work(from.data_ptr<float>(), to.data_ptr<float>());
  return to;
}

}  // namespace equipatch
