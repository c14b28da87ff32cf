#pragma once

// The one place that includes libtorch: ATen only, no autograd. Precompiled for every
// target that needs it.
#include <ATen/ATen.h>

#include "core/base/dtype.h"

namespace equipatch {

using at::Tensor;

at::ScalarType toTorch(DType dtype);
/// Of floating-point numbers that a model computes with.
DType dtypeOf(const Tensor& numbers);

/// "cpu", "cuda", "cuda:1". @throws Error{BadInput} when the name is unknown,
/// Error{Unsupported} when libtorch or this machine has no such device.
at::Device deviceFromName(const std::string& name);

/// Simple operations on fewer numbers than this are not worth a second thread.
inline constexpr std::int64_t kElementsWorthAThread = 32768;

/// Threads of libtorch and of the kernels, set together.
void setComputeThreads(int threads);

}  // namespace equipatch
