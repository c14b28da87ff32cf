// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/dtype.h"
#include "core/kernel/mxfp4.h"

namespace equipatch {

// Products of a stored matrix with few rows (1 to about 8). The memory bandwidth limits
// their speed, so each element of the matrix is read from memory once for all rows. They
// accumulate in the type of the rows, and do not round the result to the matrix's dtype.
// They throw Error{Unsupported} for a dtype that WeightMatrix does not list for this type
// of rows.
//
// The bits of a row of the result depend only on its own row of x (or p), the matrix, the
// order and the instruction set. They do not depend on the other rows or on the number of
// rows or threads. The comparison of passes relies on this.

/// A matrix [outputs, inputs], row-major, contiguous, in host memory.
struct WeightMatrix {
  const void* data = nullptr;
  DType dtype = DType::F32;  ///< F32, BF16, F16 with float rows; F64 with double rows
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
};

/// The order in which the terms of each dot product are added. If two computations differ
/// in this order alone, the difference of their results is the machine's rounding noise.
enum class SummationOrder { Standard, Alternate };

/// y = x Wᵀ: x [rows, inputs] → y [rows, outputs].
void fewRowProduct(const WeightMatrix& W, const float* x, std::int64_t rows, float* y,
                   SummationOrder order = SummationOrder::Standard);
void fewRowProduct(const WeightMatrix& W, const double* x, std::int64_t rows, double* y,
                   SummationOrder order = SummationOrder::Standard);

/// The same for a matrix in MXFP4. The result has the bits of the product with the matrix
/// expanded to `dtype`, but at most a few rows are expanded at a time.
void fewRowProduct(const Mxfp4Matrix& W, DType dtype, const float* x, std::int64_t rows,
                   float* y, SummationOrder order = SummationOrder::Standard);
void fewRowProduct(const Mxfp4Matrix& W, DType dtype, const double* x, std::int64_t rows,
                   double* y, SummationOrder order = SummationOrder::Standard);

/// y = round(W + u wᵀ) x for one row x. W + u wᵀ is computed in the type of u, and each
/// element is rounded to W's dtype (to nearest, ties to even). y has the bits that
/// `fewRowProduct` gives on the stored patched matrix, but the patched weights are formed
/// block by block in registers. u [outputs], w [inputs], x [inputs], y [outputs].
void materialisedProduct(const WeightMatrix& W, const float* u, const float* w,
                         const float* x, float* y,
                         SummationOrder order = SummationOrder::Standard);
void materialisedProduct(const WeightMatrix& W, const double* u, const double* w,
                         const double* x, double* y,
                         SummationOrder order = SummationOrder::Standard);

/// The same for a matrix in MXFP4: W is expanded to `dtype`, and W + u wᵀ is rounded to
/// `dtype`.
void materialisedProduct(const Mxfp4Matrix& W, DType dtype, const float* u,
                         const float* w, const float* x, float* y,
                         SummationOrder order = SummationOrder::Standard);
void materialisedProduct(const Mxfp4Matrix& W, DType dtype, const double* u,
                         const double* w, const double* x, double* y,
                         SummationOrder order = SummationOrder::Standard);

/// y = p V: row r of y is the sum of V's rows, weighted by row r of p. Takes several V of
/// one shape and dtype at once, so that every thread has work:
/// p [V.size(), rows, V.outputs] → y [V.size(), rows, V.inputs].
void weightedSums(std::span<const WeightMatrix> V, const float* p, std::int64_t rows,
                  float* y, SummationOrder order = SummationOrder::Standard);
void weightedSums(std::span<const WeightMatrix> V, const double* p, std::int64_t rows,
                  double* y, SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
