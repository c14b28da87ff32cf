// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

namespace equipatch {

// Functions that libtorch's autograd can differentiate.

/// RMSNorm as in Gemma over the last axis of x; float32.
at::Tensor rmsNormed(const at::Tensor& x, const at::Tensor& scale, double epsilon);

/// GELU, tanh approximation; x is float32 or bfloat16.
at::Tensor geluOf(const at::Tensor& x);

/// GeGLU; x is float32 or bfloat16. Along its last axis, x has the outputs of the gate
/// projection, then the outputs of the up projection.
at::Tensor gatedOf(const at::Tensor& x);

}  // namespace equipatch
