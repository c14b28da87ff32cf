#pragma once

#include <cstdint>

namespace equipatch {

/// Rows of heads whose first 2·pairs components rotate in pairs.
struct HeadShape {
  std::int64_t rows = 0;
  std::int64_t heads = 0;
  std::int64_t headDim = 0;
  std::int64_t pairs = 0;
  bool neighbours = false;  ///< pair p is 2p and 2p + 1; otherwise p and p + pairs
};

/// Turns each pair p of row r by the angle whose cosine and sine are given [rows, pairs];
/// what is beyond the pairs is copied: x [rows, heads, headDim] → y, not the same memory.
void rotateHeads(const HeadShape& shape, const float* x, const float* cosine,
                 const float* sine, float* y);
void rotateHeads(const HeadShape& shape, const double* x, const double* cosine,
                 const double* sine, double* y);

}  // namespace equipatch
