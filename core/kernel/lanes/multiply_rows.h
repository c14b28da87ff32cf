// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/dot_tile.h"
#include "core/kernel/lanes/pack_rows.h"

namespace equipatch {

/// Computes all outputs of a task; tileAt<n>(output, apart) makes the tile of n outputs
/// that are `apart` rows from each other.
///
/// The outputs are divided into `Outputs` bands, and a tile takes one row of each band.
/// Each of its rows continues where the previous tile's ended, so the processor sees a
/// few long streams through memory. Tiles of neighbouring rows would make short streams,
/// two to a page where rows are short, which some hardware prefetchers do not follow.
template <int Outputs, typename Scalar, typename TileAt>
[[gnu::always_inline]] inline void multiplyTiles(const DotTask<Scalar>& task,
                                                 const TileAt& tileAt) {
  std::int64_t output = 0;
  if (task.order == SummationOrder::Alternate) {
    for (; output < task.outputs; ++output)
      tileAt.template operator()<1>(output, 1).alternate(task.y + output, task.yStride);
    return;
  }
  const std::int64_t band = task.outputs / Outputs;
  for (; output < band; ++output)
    tileAt.template operator()<Outputs>(output, band)
        .standard(task.y + output, task.yStride);
  for (output = band * Outputs; output < task.outputs; ++output)
    tileAt.template operator()<1>(output, 1).standard(task.y + output, task.yStride);
}

template <Lanes L, int Rows>
void multiplyBatch(const DotTask<typename L::Scalar>& task) {
  static_assert(kOutputGrain % L::outputsPerTile(Rows) == 0);
  const auto* weights = static_cast<const typename L::Weight*>(task.weights);
  multiplyTiles<L::outputsPerTile(Rows)>(
      task, [&]<int Outputs>(std::int64_t output, std::int64_t apart) {
        return Tile<L, Rows, Outputs, Stored>(
            {weights + output * task.inputs, task.inputs, task.packed, apart}, {});
      });
}

/// The one row of x times round(W + u wᵀ).
template <Lanes L>
void multiplyPatched(const DotTask<typename L::Scalar>& task) {
  const auto* weights = static_cast<const typename L::Weight*>(task.weights);
  // Four outputs, because each needs a register for its u, too.
  multiplyTiles<4>(task, [&]<int Outputs>(std::int64_t output, std::int64_t apart) {
    return Tile<L, 1, Outputs, Patched<L, Outputs>>(
        {weights + output * task.inputs, task.inputs, task.packed, apart},
        Patched<L, Outputs>(task.u + output, task.packedW, apart));
  });
}

template <Lanes L>
void multiplyRows(const DotTask<typename L::Scalar>& task) {
  if (asOneBatch(task.rows, [&]<int Rows>() { multiplyBatch<L, Rows>(task); })) return;
  // More rows than one batch: a few outputs at a time, whose weights stay in the cache.
  constexpr std::int64_t kOutputsInCache = 16;
  const std::int64_t padded = blockCount<L>(task.inputs) * kBlock<L>;
  for (std::int64_t output = 0; output < task.outputs; output += kOutputsInCache)
    for (std::int64_t row = 0; row < task.rows; row += kRowsPerBatch) {
      const std::int64_t outputs = task.outputs - output, rows = task.rows - row;
      multiplyRows<L>({.weights = static_cast<const typename L::Weight*>(task.weights) +
                                  output * task.inputs,
                       .outputs = outputs < kOutputsInCache ? outputs : kOutputsInCache,
                       .inputs = task.inputs,
                       .packed = task.packed + row * padded,
                       .rows = rows < kRowsPerBatch ? rows : kRowsPerBatch,
                       .y = task.y + row * task.yStride + output,
                       .yStride = task.yStride,
                       .order = task.order});
    }
}

}  // namespace equipatch
