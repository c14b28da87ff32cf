// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/mxfp4.h"

#include <array>
#include <cstddef>
#include <vector>

#include "core/kernel/kernel_table.h"

namespace equipatch {
namespace {

template <typename T>
void expandAs(const Mxfp4Matrix& W, WorkRange rows, DType dtype, void* to) {
  const WeightKernels<T>& kernels = weightKernels<T>(dtype);
  const std::int64_t bytes = W.inputs * static_cast<std::int64_t>(byteSize(dtype));
  parallelRanges({rows.end - rows.begin, bytes}, [&](WorkRange some) {
    for (std::int64_t row = some.begin; row < some.end; ++row)
      kernels.expand(W.row(rows.begin + row), static_cast<std::byte*>(to) + row * bytes);
  });
}

/// a² + b² for each byte, where a and b are twice its two values, hence integers.
constexpr std::array<std::uint16_t, 256> kByteSquares = [] {
  std::array<std::uint16_t, 256> squares{};
  for (std::size_t byte = 0; byte < squares.size(); ++byte) {
    const float a = 2.0F * kMxfp4Values[byte & 15U], b = 2.0F * kMxfp4Values[byte >> 4U];
    squares[byte] = static_cast<std::uint16_t>(a * a + b * b);
  }
  return squares;
}();

double squaredSumOf(const Mxfp4Row& row) {
  double sum = 0.0;
  for (std::int64_t block = 0; block < row.inputs / kMxfp4BlockValues; ++block) {
    std::uint32_t squares = 0;
    for (std::int64_t byte = 0; byte < kMxfp4BlockBytes; ++byte)
      squares += kByteSquares[row.blocks[block * kMxfp4BlockBytes + byte]];
    const double halfScale = 0.5 * static_cast<double>(kMxfp4Scales[row.scales[block]]);
    sum += squares * halfScale * halfScale;
  }
  return sum;
}

}  // namespace

void expandRows(const Mxfp4Matrix& W, WorkRange rows, DType dtype, void* to) {
  if (dtype == DType::F64)
    expandAs<double>(W, rows, dtype, to);
  else
    expandAs<float>(W, rows, dtype, to);
}

double squaredFrobeniusNorm(const Mxfp4Matrix& W) {
  std::vector<double> sums(static_cast<std::size_t>(W.outputs));
  parallelRanges({.items = W.outputs, .bytesPerItem = W.inputs / 2}, [&](WorkRange rows) {
    for (std::int64_t row = rows.begin; row < rows.end; ++row)
      sums[static_cast<std::size_t>(row)] = squaredSumOf(W.row(row));
  });
  double all = 0.0;
  for (const double sum : sums) all += sum;
  return all;
}

}  // namespace equipatch
