// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/weight_products.h"

namespace equipatch {

/// True if this processor has instructions that multiply bfloat16: AVX512-BF16, which
/// every processor with AMX has. Without AVX512-BF16, widening the weights to
/// float32 is faster.
bool multipliesBfloat16();

/// y = x Wᵀ for many rows, x and W in bfloat16: x [rows, inputs] → y [rows, outputs].
/// oneDNN computes it with AVX512-BF16 or AMX, which accumulate in float32; y is not
/// rounded. These instructions replace subnormal inputs, and results below the smallest
/// normal float32, by zero. oneDNN uses OpenMP's threads, like libtorch's products.
///
/// @param x in bfloat16; `x.outputs` is the number of rows
/// @throws Error{Resource} if oneDNN fails; Error{Unsupported} in programs built for
/// other processors than x86-64
void bfloat16Product(const WeightMatrix& x, const WeightMatrix& W, float* y,
                     SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
