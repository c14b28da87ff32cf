// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// ATen only, no header of autograd. ivalue.h comes first, because Clang 19 does not
// compile ATen's vectors of IValue while that type is incomplete.
#include <ATen/core/ivalue.h>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>  // at::NoGradGuard, which libtorch 2's ATen.h lacks

#include "core/base/dtype.h"

namespace equipatch {

using at::Tensor;

at::ScalarType toTorch(DType dtype);
/// The dtype of a floating-point tensor.
DType dtypeOf(const Tensor& x);

/// @param name "cpu", "cuda", "cuda:1", …
/// @throws Error{BadInput} for an unknown name, Error{Unsupported} if libtorch or this
///         machine has no such device
at::Device deviceFromName(const std::string& name);

/// Each thread of an elementwise or rowwise operation gets at least this many elements,
/// unless it gets all.
inline constexpr std::int64_t kElementsWorthAThread = 32768;

/// Sets the number of threads of libtorch and of the kernels.
void setComputeThreads(int threads);

/// While an instance exists, libtorch and the kernels use the given number of threads.
class ComputeThreads {
 public:
  explicit ComputeThreads(int threads);
  ~ComputeThreads() { setComputeThreads(m_before); }
  ComputeThreads(const ComputeThreads&) = delete;
  ComputeThreads& operator=(const ComputeThreads&) = delete;

 private:
  int m_before;
};

/// Returns a new tensor of the given sizes, which work(const Real* from, Real* to) fills
/// from the elements of x, made contiguous. x must be in host memory and have the element
/// type Real, float or double.
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
