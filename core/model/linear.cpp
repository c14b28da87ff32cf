// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/linear.h"

#include <algorithm>
#include <cmath>

#include "core/kernel/row_operations.h"

namespace equipatch {

double frobeniusNorm(const Tensor& weight) {
  if (weight.is_cpu() && weight.is_contiguous())
    return std::sqrt(squaredFrobeniusNorm(
        {weight.data_ptr(), dtypeOf(weight), weight.size(0), weight.size(1)}));
  constexpr std::int64_t kRows = 1024;
  double sum = 0.0;
  for (std::int64_t first = 0; first < weight.size(0); first += kRows) {
    const std::int64_t count = std::min(kRows, weight.size(0) - first);
    // Widened before squaring, because in float32 squares may overflow or underflow.
    const Tensor tile = weight.narrow(0, first, count).to(at::kDouble).reshape(-1);
    sum += at::dot(tile, tile).item<double>();
  }
  return std::sqrt(sum);
}

Mxfp4Matrix PackedMatrix::matrix() const {
  return {.blocks = blocks.data_ptr<std::uint8_t>(),
          .scales = scales.data_ptr<std::uint8_t>(),
          .blockStride = blocks.stride(0),
          .scaleStride = scales.stride(0),
          .outputs = blocks.size(0),
          .inputs = blocks.size(1) * kMxfp4BlockValues};
}

std::int64_t Linear::inputs() const {
  return packed.defined() ? packed.blocks.size(1) * kMxfp4BlockValues : weight.size(1);
}

Tensor Linear::rows(std::int64_t first, std::int64_t count, at::TensorOptions as) const {
  if (!packed.defined()) return weight.narrow(0, first, count);
  const Tensor tile = at::empty({count, inputs()}, as.device(at::kCPU));
  expandRows(packed.matrix(), {first, first + count}, dtypeOf(tile), tile.data_ptr());
  return tile.to(as.device());
}

double frobeniusNorm(const Linear& linear) {
  return linear.packed.defined() ? std::sqrt(squaredFrobeniusNorm(linear.packed.matrix()))
                                 : frobeniusNorm(linear.weight);
}

}  // namespace equipatch
