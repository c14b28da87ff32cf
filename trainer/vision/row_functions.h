// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

namespace equipatch {

// The trainer's loops over rows as functions that libtorch differentiates.

/// RMSNorm as in Gemma over the last axis of x; float32.
at::Tensor rmsNormed(const at::Tensor& x, const at::Tensor& scale, double epsilon);

/// gelu with tanh; float32 or bfloat16, as is the next.
at::Tensor geluOf(const at::Tensor& x);

/// GeGLU: the last axis of x holds the gates and then what they gate.
at::Tensor gatedOf(const at::Tensor& x);

}  // namespace equipatch
