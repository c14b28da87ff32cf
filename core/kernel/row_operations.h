// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/dtype.h"
#include "core/kernel/weight_products.h"

namespace equipatch {

// Operations on rows of activations, and sums of squares of weights. A row's result does
// not depend on the rows beside it.

/// How rows are normalised.
struct RowNorm {
  bool centred = false;  ///< subtract the mean first, as LayerNorm does
  double epsilon = 0.0;
  SummationOrder order = SummationOrder::Standard;
};

/// n = x / sqrt(mean(x²) + ε) of each row: x [rows, width] → n [rows, width]. A row whose
/// sum of squares overflows becomes NaN.
void normaliseRows(const float* x, std::int64_t rows, std::int64_t width,
                   const RowNorm& norm, float* n);
void normaliseRows(const double* x, std::int64_t rows, std::int64_t width,
                   const RowNorm& norm, double* n);

/// Rows of attention heads whose first 2·pairs components rotate in pairs.
struct HeadShape {
  std::int64_t rows = 0;
  std::int64_t heads = 0;
  std::int64_t headDim = 0;
  std::int64_t pairs = 0;
  bool neighbours = false;  ///< pair p is 2p and 2p + 1; otherwise p and p + pairs
};

/// Rotates each pair p of row r by the angle whose cosine and sine are element [r, p] of
/// `cosine` and `sine`, [rows, pairs]. Copies the other components.
/// x [rows, heads, headDim] → y, which must not overlap x.
void rotateHeads(const HeadShape& shape, const float* x, const float* cosine,
                 const float* sine, float* y);
void rotateHeads(const HeadShape& shape, const double* x, const double* cosine,
                 const double* sine, double* y);

/// x σ(a x + b x³) with σ(t) = 1 / (1 + exp(−t)): SiLU, quick GELU and GELU's tanh form.
struct SelfGate {
  double a = 1.0;
  double b = 0.0;
};

/// y = x σ(a x + b x³) of each element, computed in double precision and rounded once.
/// The result is not finite where x is not. x and y are equally long and may be the same.
void selfGate(SelfGate gate, std::span<const float> x, std::span<float> y);
void selfGate(SelfGate gate, std::span<const double> x, std::span<double> y);

/// Rounds each element to the nearest value of BF16 or F16 (ties to even), or copies for
/// F32. `from` and `to` are equally long and may be the same.
/// @throws Error{Unsupported} for another dtype
void roundElements(DType dtype, std::span<const float> from, std::span<float> to);

/// True if every element is finite.
bool allFinite(std::span<const float> x);
bool allFinite(std::span<const double> x);

/// Σ x² of `count` consecutive weights, squared and added in double precision. The same
/// bits with every instruction set. @throws Error{Unsupported} unless `dtype` is floating
double squareSum(DType dtype, const void* weights, std::int64_t count);

/// ‖W‖_F² of a W with a floating dtype. Squares and adds in double precision, because
/// squares may leave the range of a narrower dtype. The result is the same for any number
/// of threads.
double squaredFrobeniusNorm(const WeightMatrix& W);

}  // namespace equipatch
