// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

namespace equipatch {

// Loops of trainer/network/row_loops.h as functions that libtorch's autograd can
// differentiate.

/// RMSNorm as in Gemma over the last axis of x; float32.
at::Tensor rmsNormed(const at::Tensor& x, const at::Tensor& scale, double epsilon);

/// gelu (tanh approximation). In this function and the next, x is float32 or bfloat16.
at::Tensor geluOf(const at::Tensor& x);

/// GeGLU: in the last axis of x, the outputs of the gate projection come before those of
/// the up projection.
at::Tensor gatedOf(const at::Tensor& x);

}  // namespace equipatch
