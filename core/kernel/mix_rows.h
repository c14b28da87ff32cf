#pragma once

#include <cstdint>

#include "core/kernel/few_row_product.h"

namespace equipatch {

/// y = p V for few rows (1 to about 8): each row of y is a sum of V's rows, weighted by
/// its row of p. p [rows, V.outputs] → y [rows, V.inputs], accumulated in the type of p
/// and not rounded. Reads each number of V once for up to four rows.
///
/// Row i of y depends on row i of p, V and the order alone: not, bit for bit, on the
/// other rows, their number or the number of threads.
void mixRows(const WeightMatrix& V, const float* p, std::int64_t rows, float* y,
             SummationOrder order = SummationOrder::Standard);
void mixRows(const WeightMatrix& V, const double* p, std::int64_t rows, double* y,
             SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
