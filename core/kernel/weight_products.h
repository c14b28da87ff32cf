// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/dtype.h"
#include "core/kernel/mxfp4.h"

namespace equipatch {

// Products of a stored matrix with few rows (1 to about 8), which are bound by reading
// the matrix: each element is read from memory once for all rows. They accumulate in the
// type of the rows, and do not round the result to the matrix's dtype. They throw
// Error{Unsupported} for a dtype that WeightMatrix does not name for this type of rows.
//
// A row of the result depends on its own row of x (or p), the matrix, the order and the
// instruction set alone: not, bit for bit, on the other rows, their number or the number
// of threads. Comparing passes relies on it.

/// A matrix [outputs, inputs], row-major, contiguous, in host memory.
struct WeightMatrix {
  const void* data = nullptr;
  DType dtype = DType::F32;  ///< F32, BF16, F16 with float rows; F64 with double rows
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
};

/// Which of two orders the terms of each dot product are added in. The difference of two
/// computations that differ in the order alone is the rounding noise of the machine.
enum class SummationOrder { Standard, Alternate };

/// y = x Wᵀ: x [rows, inputs] → y [rows, outputs].
void fewRowProduct(const WeightMatrix& W, const float* x, std::int64_t rows, float* y,
                   SummationOrder order = SummationOrder::Standard);
void fewRowProduct(const WeightMatrix& W, const double* x, std::int64_t rows, double* y,
                   SummationOrder order = SummationOrder::Standard);

/// The same with a matrix in MXFP4, with the bits of the product with the matrix expanded
/// to `dtype`, of which only a few rows exist at a time.
void fewRowProduct(const Mxfp4Matrix& W, DType dtype, const float* x, std::int64_t rows,
                   float* y, SummationOrder order = SummationOrder::Standard);
void fewRowProduct(const Mxfp4Matrix& W, DType dtype, const double* x, std::int64_t rows,
                   double* y, SummationOrder order = SummationOrder::Standard);

/// y = round(W + u wᵀ) x of one row, the patched matrix rounded to W's dtype element by
/// element (to nearest even, from W + u·w in the type of u). It has the bits that
/// `fewRowProduct` gives on the stored patched matrix, but the patched weights are formed
/// block by block in registers. u [outputs], w [inputs], x [inputs], y [outputs].
void materialisedProduct(const WeightMatrix& W, const float* u, const float* w,
                         const float* x, float* y,
                         SummationOrder order = SummationOrder::Standard);
void materialisedProduct(const WeightMatrix& W, const double* u, const double* w,
                         const double* x, double* y,
                         SummationOrder order = SummationOrder::Standard);

/// The same with a matrix in MXFP4 that is expanded to `dtype`; its patched rows are
/// rounded to `dtype`, too.
void materialisedProduct(const Mxfp4Matrix& W, DType dtype, const float* u,
                         const float* w, const float* x, float* y,
                         SummationOrder order = SummationOrder::Standard);
void materialisedProduct(const Mxfp4Matrix& W, DType dtype, const double* u,
                         const double* w, const double* x, double* y,
                         SummationOrder order = SummationOrder::Standard);

/// y = p V: each row of y is the sum of V's rows, weighted by its row of p. For several V
/// of one shape and dtype at once, so that every thread has work:
/// p [V.size(), rows, V.outputs] → y [V.size(), rows, V.inputs].
void weightedSums(std::span<const WeightMatrix> V, const float* p, std::int64_t rows,
                  float* y, SummationOrder order = SummationOrder::Standard);
void weightedSums(std::span<const WeightMatrix> V, const double* p, std::int64_t rows,
                  double* y, SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
