// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/dtype.h"
#include "core/kernel/threads.h"

namespace equipatch {

/// Values of a row that share a scale, and the bytes that hold them.
constexpr std::int64_t kMxfp4Block = 32, kMxfp4Bytes = 16;

/// A matrix [outputs, inputs] in MXFP4 (OCP Microscaling Formats 1.0), in host memory. A
/// byte holds two values, the low nibble first; each is one of 0, ½, 1, 1½, 2, 3, 4, 6
/// and their negatives. Each block of a row is multiplied by 2^(scale − 127).
struct Mxfp4Matrix {
  const std::uint8_t* blocks = nullptr;
  const std::uint8_t* scales = nullptr;
  std::int64_t blockStride = 0;  ///< bytes from one row's blocks to the next row's
  std::int64_t scaleStride = 0;  ///< the same of its scales
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;  ///< a multiple of kMxfp4Block
};

/// Writes rows [rows.begin, rows.end) as `dtype`, row-major: exactly in BF16, F32 and
/// F64; rounded to the nearest value in F16.
void expandRows(const Mxfp4Matrix& W, WorkRange rows, DType dtype, void* to);

/// ‖W‖_F² in double precision.
double squareSum(const Mxfp4Matrix& W);

}  // namespace equipatch
