// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/base/dtype.h"
#include "core/kernel/weight_products.h"

namespace equipatch {

// A row's result does not depend on the other rows.

struct RowNorm {
  bool centred = false;  ///< subtract the mean first, as LayerNorm does
  double epsilon = 0.0;
  SummationOrder order = SummationOrder::Standard;
};

/// n = x / sqrt(mean(x²) + ε) for each row: x [rows, width] → n [rows, width]. A row
/// whose sum of squares overflows becomes NaN.
void normaliseRows(const float* x, std::int64_t rows, std::int64_t width,
                   const RowNorm& norm, float* n);
void normaliseRows(const double* x, std::int64_t rows, std::int64_t width,
                   const RowNorm& norm, double* n);

/// Rows of attention heads. The first 2·pairs components of each head are rotated in
/// pairs.
struct HeadShape {
  std::int64_t rows = 0;
  std::int64_t heads = 0;
  std::int64_t headDim = 0;
  std::int64_t pairs = 0;
  bool neighbours = false;  ///< pair p is 2p and 2p + 1; otherwise p and p + pairs
};

/// Rotary embedding: multiplies pair p of row r, as a complex number, by
/// cosine[r, p] + i sine[r, p]; copies the other components. `y` must not overlap `x`.
/// x, y [rows, heads, headDim]; cosine, sine [rows, pairs].
void rotateHeads(const HeadShape& shape, const float* x, const float* cosine,
                 const float* sine, float* y);
void rotateHeads(const HeadShape& shape, const double* x, const double* cosine,
                 const double* sine, double* y);

/// x σ(a x + b x³) with σ(t) = 1 / (1 + exp(−t)): SiLU, quick GELU or GELU's tanh
/// approximation.
struct SelfGate {
  double a = 1.0;
  double b = 0.0;
};

/// Computes y in double precision and rounds it once. y is not finite where x is not. x
/// and y have the same length and may be the same span.
void selfGate(SelfGate gate, std::span<const float> x, std::span<float> y);
void selfGate(SelfGate gate, std::span<const double> x, std::span<double> y);

/// Rounds each element to the nearest BF16 or F16 (ties to even); copies for F32.
/// `from` and `to` have the same length and may be the same span.
/// @throws Error{Unsupported} for another dtype
void roundElements(DType dtype, std::span<const float> from, std::span<float> to);

bool allFinite(std::span<const float> x);
bool allFinite(std::span<const double> x);

/// Σ x² of `count` consecutive weights, in double precision. Every instruction set gives
/// the same bits. @throws Error{Unsupported} unless `dtype` is floating
double squareSum(DType dtype, const void* weights, std::int64_t count);

/// ‖W‖_F² in double precision; W's dtype must be floating. The number of threads does not
/// change the result.
double squaredFrobeniusNorm(const WeightMatrix& W);

}  // namespace equipatch
