// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/weight_products.h"

namespace equipatch {

/// True if this processor has instructions that multiply bfloat16: AVX512-BF16 or AMX. On
/// others it is faster to widen the weights to float32.
bool multipliesBfloat16();

/// y = x Wᵀ for many rows, both in bfloat16, by those instructions: accumulated in
/// float32 and not rounded. The instructions treat subnormal factors as zero, and
/// products below the smallest normal float32. x [rows, inputs] → y [rows, outputs]. Runs
/// on OpenMP's threads, like libtorch's products.
///
/// @param x a WeightMatrix whose outputs are the rows
/// @throws Resource if oneDNN fails; Unsupported in programs that are not for x86-64
void bfloat16Product(const WeightMatrix& x, const WeightMatrix& W, float* y,
                     SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
