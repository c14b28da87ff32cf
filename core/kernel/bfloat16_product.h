// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/weight_products.h"

namespace equipatch {

/// True if this processor has AVX512-BF16, as every processor with AMX has. Without these
/// instructions, widening the weights to float32 is faster than bfloat16Product.
bool multipliesBfloat16();

/// y = x Wᵀ for many rows, x and W in bfloat16: x [rows, inputs] → y [rows, outputs].
/// oneDNN multiplies with AVX512-BF16 or AMX, on OpenMP's threads. These instructions
/// accumulate in float32, treat subnormal inputs as zero, and flush subnormal sums to
/// zero. y is not rounded to bfloat16.
///
/// @param x in bfloat16; `x.outputs` is the number of rows
/// @throws Error{Resource} if oneDNN fails; Error{Unsupported} in programs for processors
/// other than x86-64
void bfloat16Product(const WeightMatrix& x, const WeightMatrix& W, float* y,
                     SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
