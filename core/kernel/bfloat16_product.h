#pragma once

#include "core/kernel/weight_products.h"

namespace equipatch {

/// Whether this processor multiplies bfloat16 by instructions of its own: AVX512-BF16 or
/// AMX. Widening the weights costs others less than doing without.
bool multipliesBfloat16();

/// y = x Wᵀ for many rows, both in bfloat16, by those instructions: accumulated in
/// float32 and not rounded. They take subnormal numbers for zero, and products below the
/// smallest normal float32 too. x [rows, inputs] → y [rows, outputs]. On the threads of
/// OpenMP, as libtorch's own products.
///
/// @param x its outputs are its rows
/// @throws Resource; Unsupported where the program is not for x86-64
void bfloat16Product(const WeightMatrix& x, const WeightMatrix& W, float* y,
                     SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
