// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/weight_products.h"

namespace equipatch {

/// True if this processor has instructions that multiply bfloat16: AVX512-BF16, which all
/// with AMX have. On others it is faster to widen the weights to float32.
bool multipliesBfloat16();

/// y = x Wᵀ for many rows, x and W in bfloat16: x [rows, inputs] → y [rows, outputs].
/// Uses those instructions, which accumulate in float32; y is not rounded. They replace
/// subnormal inputs, and results below the smallest normal float32, by zero. Runs on
/// OpenMP's threads, like libtorch's products.
///
/// @param x a WeightMatrix whose outputs are the rows
/// @throws Error{Resource} if oneDNN fails; Error{Unsupported} in programs that are not
/// for x86-64
void bfloat16Product(const WeightMatrix& x, const WeightMatrix& W, float* y,
                     SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
