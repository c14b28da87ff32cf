#pragma once

#include <cstdint>

#include "core/kernel/weight_products.h"

namespace equipatch {

/// How rows are normalised.
struct RowNorm {
  bool centred = false;  ///< of x − mean(x), as a LayerNorm
  double epsilon = 0.0;
  SummationOrder order = SummationOrder::Standard;
};

/// n = x / sqrt(mean(x²) + ε) for each row: x [rows, width] → n [rows, width]. A row's
/// result does not depend on the other rows.
void normaliseRows(const float* x, std::int64_t rows, std::int64_t width,
                   const RowNorm& norm, float* n);
void normaliseRows(const double* x, std::int64_t rows, std::int64_t width,
                   const RowNorm& norm, double* n);

}  // namespace equipatch
