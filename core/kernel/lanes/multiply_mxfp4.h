// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/expand_mxfp4.h"
#include "core/kernel/lanes/pack_rows.h"
#include "core/kernel/lanes/patched_weights.h"

namespace equipatch {

/// Lanes that multiply faster if MXFP4 is expanded in registers instead of in memory.
template <typename L>
concept MultipliesMxfp4 = Lanes<L> && kLoadsEvenAndOdd<L> && requires(int rows) {
  // As outputsPerTile, for weights in MXFP4.
  { L::mxfp4OutputsPerTile(rows) } -> std::same_as<int>;
};

/// Outputs × Rows dot products from output `first` on, in the standard order, with the
/// bits that a Tile of the expanded weights gives.
template <DequantisesMxfp4 F, MultipliesMxfp4 L, int Rows, int Outputs>
[[gnu::always_inline]] inline void multiplyTileOfMxfp4(
    const Mxfp4Matrix& W, const DotTask<typename L::Scalar>& task, std::int64_t first) {
  using Vector = typename L::Vector;
  Vector sums[Outputs][Rows];
  for (auto& output : sums)
    for (Vector& sum : output) sum = L::zero();
  const Mxfp4Row weights = W.row(first);
  const auto* packed = static_cast<const float*>(task.packed);
  constexpr std::int64_t kBlockBytes = kBlock<L> / 2;
  for (std::int64_t block = 0; block < W.inputs / kBlock<L>; ++block) {
    const float* x = packed + block * Rows * kBlock<L>;
    Vector inputs[L::kVectors][Rows];
    for (int part = 0; part < L::kVectors; ++part)
      for (int row = 0; row < Rows; ++row)
        inputs[part][row] = L::load(x + row * kBlock<L> + part * L::kWidth);
    for (int output = 0; output < Outputs; ++output) {
      const std::uint8_t* bytes =
          weights.blocks + output * W.blockStride + block * kBlockBytes;
      const std::uint8_t* scale = weights.scales + output * W.scaleStride;
      const std::int64_t at = block * kBlock<L> / kMxfp4BlockValues;
      Vector values[2];
      F::loadCodes(bytes, L::broadcast(kMxfp4Scales[scale[at]]), values);
      for (int part = 0; part < 2; ++part)
        for (int row = 0; row < Rows; ++row)
          sums[output][row] =
              L::multiplyAdd(values[part], inputs[part][row], sums[output][row]);
    }
  }
  for (int output = 0; output < Outputs; ++output)
    for (int row = 0; row < Rows; ++row)
      task.y[row * task.yStride + first + output] = L::sum(sums[output][row]);
}

/// As `multiplyRows` on the expanded matrix; at most kRowsPerBatch rows, standard order.
template <DequantisesMxfp4 F, MultipliesMxfp4 L>
void multiplyMxfp4(const Mxfp4Matrix& W, const DotTask<typename L::Scalar>& task) {
  static_assert(kMxfp4BlockValues % kBlock<L> == 0);
  asOneBatch(task.rows, [&]<int Rows>() {
    constexpr int kOutputs = L::mxfp4OutputsPerTile(Rows);
    std::int64_t output = 0;
    for (; output + kOutputs <= W.outputs; output += kOutputs)
      multiplyTileOfMxfp4<F, L, Rows, kOutputs>(W, task, output);
    for (; output < W.outputs; ++output)
      multiplyTileOfMxfp4<F, L, Rows, 1>(W, task, output);
  });
}

}  // namespace equipatch
