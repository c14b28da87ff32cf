#pragma once

#include <cstdint>
#include <span>

#include "core/kernel/weight_products.h"

namespace equipatch {

/// y = p V for few rows (1 to about 8): each row of y is a sum of V's rows, weighted by
/// its row of p, accumulated in the type of p and not rounded. For several V of one shape
/// and dtype at once, so that all threads have something to do: p [V.size(), rows,
/// V.outputs] → y [V.size(), rows, V.inputs]. Reads each number of V once for up to four
/// rows.
///
/// Row i of y depends on row i of p, its V and the order alone: not, bit for bit, on the
/// other rows, their number or the number of threads.
void weightedSums(std::span<const WeightMatrix> V, const float* p, std::int64_t rows, float* y,
             SummationOrder order = SummationOrder::Standard);
void weightedSums(std::span<const WeightMatrix> V, const double* p, std::int64_t rows,
             double* y, SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
