#pragma once

#include <cstdint>

#include "core/kernel/weight_products.h"

namespace equipatch {

/// y = round(W + u wᵀ) x for one row, with the patched matrix rounded to W's dtype
/// element by element (round to nearest even, from W + u·w in the type of u): bit for bit
/// what `fewRowProduct` gives on the stored patched matrix, but formed block
/// by block in registers. u [outputs], w [inputs], x [inputs], y [outputs].
void materialisedProduct(const WeightMatrix& W, const float* u, const float* w,
                         const float* x, float* y,
                         SummationOrder order = SummationOrder::Standard);
void materialisedProduct(const WeightMatrix& W, const double* u, const double* w,
                         const double* x, double* y,
                         SummationOrder order = SummationOrder::Standard);

/// Writes rows [firstRow, firstRow + rowCount) of round(W + u wᵀ) in W's dtype.
void materialiseRows(const WeightMatrix& W, const float* u, const float* w,
                     std::int64_t firstRow, std::int64_t rowCount, void* out);
void materialiseRows(const WeightMatrix& W, const double* u, const double* w,
                     std::int64_t firstRow, std::int64_t rowCount, void* out);

}  // namespace equipatch
