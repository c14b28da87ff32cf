// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/base/dtype.h"
#include "core/kernel/threads.h"

namespace equipatch {

/// The value of each FP4 code (E2M1).
inline constexpr std::array<float, 16> kMxfp4Values{
    0.0F,  0.5F,  1.0F,  1.5F,  2.0F,  3.0F,  4.0F,  6.0F,
    -0.0F, -0.5F, -1.0F, -1.5F, -2.0F, -3.0F, -4.0F, -6.0F};

/// The factor of each stored scale (E8M0): 2^(scale − 127); NaN for 255.
inline constexpr std::array<float, 256> kMxfp4Scales = [] {
  std::array<float, 256> scales{};
  scales[0] = std::numeric_limits<float>::min() / 2;  // subnormal
  for (std::size_t scale = 1; scale < 255; ++scale) scales[scale] = 2 * scales[scale - 1];
  scales[255] = std::numeric_limits<float>::quiet_NaN();
  return scales;
}();

struct Mxfp4Row {
  const std::uint8_t* blocks = nullptr;  ///< [inputs / 2]
  const std::uint8_t* scales = nullptr;  ///< [inputs / kMxfp4BlockValues]
  std::int64_t inputs = 0;
};

/// A matrix [outputs, inputs] in MXFP4 (OCP Microscaling Formats 1.0), in host memory. A
/// byte holds two codes, the low nibble first; the values of a block share a scale.
struct Mxfp4Matrix {
  const std::uint8_t* blocks = nullptr;
  const std::uint8_t* scales = nullptr;
  std::int64_t blockStride = 0;  ///< bytes from one row's blocks to the next row's
  std::int64_t scaleStride = 0;  ///< the same for the scales
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;  ///< a multiple of kMxfp4BlockValues

  Mxfp4Row row(std::int64_t output) const {
    return {blocks + output * blockStride, scales + output * scaleStride, inputs};
  }
  Mxfp4Matrix rows(WorkRange range) const {
    const Mxfp4Row first = row(range.begin);
    return {first.blocks, first.scales, blockStride, scaleStride, range.end - range.begin,
            inputs};
  }
};

/// Writes rows [rows.begin, rows.end) as `dtype`, row-major. F16 rounds to nearest; in
/// BF16 and F32, magnitudes ≥ 2^128 become infinite; all other values are exact.
/// @throws Error{Unsupported} unless `dtype` is floating
void expandRows(const Mxfp4Matrix& W, WorkRange rows, DType dtype, void* to);

/// ‖W‖_F² in double precision.
double squaredFrobeniusNorm(const Mxfp4Matrix& W);

}  // namespace equipatch
