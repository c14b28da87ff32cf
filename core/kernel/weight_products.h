// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/dtype.h"
#include "core/kernel/mxfp4.h"

namespace equipatch {

// Products of few rows (1 to about 8) with a stored matrix, each element of which is read
// from memory once for all rows. Sums and results have the type of the rows; results are
// not rounded to the matrix's dtype. The functions throw Error{Unsupported} for a dtype
// that WeightMatrix does not list for this type of rows.
//
// The bits of a result's row depend only on the same row of x (or p), the matrix, the
// order and the instruction set: not on other rows or the number of rows or threads.

/// A matrix [outputs, inputs], row-major, contiguous, in host memory.
struct WeightMatrix {
  const void* data = nullptr;
  DType dtype = DType::F32;  ///< F32, BF16, F16 with float rows; F64 with double rows
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
};

/// The order of the additions in each dot product. The difference between the results of
/// the two orders shows the size of rounding errors.
enum class SummationOrder { Standard, Alternate };

/// y = x Wᵀ: x [rows, inputs] → y [rows, outputs].
void fewRowProduct(const WeightMatrix& W, const float* x, std::int64_t rows, float* y,
                   SummationOrder order = SummationOrder::Standard);
void fewRowProduct(const WeightMatrix& W, const double* x, std::int64_t rows, double* y,
                   SummationOrder order = SummationOrder::Standard);

/// Gives the bits of the product with W expanded to `dtype`, but never expands all of W.
void fewRowProduct(const Mxfp4Matrix& W, DType dtype, const float* x, std::int64_t rows,
                   float* y, SummationOrder order = SummationOrder::Standard);
void fewRowProduct(const Mxfp4Matrix& W, DType dtype, const double* x, std::int64_t rows,
                   double* y, SummationOrder order = SummationOrder::Standard);

/// y = round(W + u wᵀ) x for one row x, with the bits that `fewRowProduct` gives on the
/// stored patched matrix. W + u wᵀ is computed in the type of u; each element is rounded
/// to W's dtype (to nearest, ties to even).
/// u [outputs], w [inputs], x [inputs], y [outputs].
void materialisedProduct(const WeightMatrix& W, const float* u, const float* w,
                         const float* x, float* y,
                         SummationOrder order = SummationOrder::Standard);
void materialisedProduct(const WeightMatrix& W, const double* u, const double* w,
                         const double* x, double* y,
                         SummationOrder order = SummationOrder::Standard);

/// Gives the bits of the product with W expanded to `dtype`.
void materialisedProduct(const Mxfp4Matrix& W, DType dtype, const float* u,
                         const float* w, const float* x, float* y,
                         SummationOrder order = SummationOrder::Standard);
void materialisedProduct(const Mxfp4Matrix& W, DType dtype, const double* u,
                         const double* w, const double* x, double* y,
                         SummationOrder order = SummationOrder::Standard);

/// y[m] = p[m] V[m] for every m. All V[m] have one dtype and one shape [outputs, inputs]:
/// p [V.size(), rows, outputs] → y [V.size(), rows, inputs].
void weightedSums(std::span<const WeightMatrix> V, const float* p, std::int64_t rows,
                  float* y, SummationOrder order = SummationOrder::Standard);
void weightedSums(std::span<const WeightMatrix> V, const double* p, std::int64_t rows,
                  double* y, SummationOrder order = SummationOrder::Standard);

}  // namespace equipatch
