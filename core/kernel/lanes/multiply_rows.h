// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/dot_tile.h"
#include "core/kernel/lanes/pack_rows.h"

namespace equipatch {

/// Computes all outputs of a task. `tileAt<n>(first, apart)` returns the tile of n
/// outputs: first, first + apart, first + 2 · apart, …
///
/// In the standard order, a tile takes one row of weights from each of `PerTile` bands,
/// and the next tile takes the following rows, so that the processor reads one long
/// stream per band. Tiles of neighbouring rows would read many short streams, several of
/// them in one page if rows are short; some hardware prefetchers follow only one stream
/// per page.
template <int PerTile, typename Scalar, typename TileAt>
[[gnu::always_inline]] inline void multiplyTiles(const DotTask<Scalar>& task,
                                                 const TileAt& tileAt) {
  std::int64_t output = 0;
  if (task.order == SummationOrder::Alternate) {
    for (; output < task.outputs; ++output)
      tileAt.template operator()<1>(output, 1).alternate(task.y + output, task.yStride);
    return;
  }
  const std::int64_t band = task.outputs / PerTile;
  for (; output < band; ++output)
    tileAt.template operator()<PerTile>(output, band)
        .standard(task.y + output, task.yStride);
  for (output = band * PerTile; output < task.outputs; ++output)
    tileAt.template operator()<1>(output, 1).standard(task.y + output, task.yStride);
}

/// Multiplies one batch: task.rows == Rows.
template <Lanes L, int Rows>
void multiplyBatch(const DotTask<typename L::Scalar>& task) {
  static_assert(kOutputGrain % L::outputsPerTile(Rows) == 0);
  const auto* weights = static_cast<const typename L::Weight*>(task.weights);
  const auto* packed = static_cast<const PackedElement<L>*>(task.packed);
  multiplyTiles<L::outputsPerTile(Rows)>(
      task, [&]<int Outputs>(std::int64_t output, std::int64_t apart) {
        return Tile<L, Rows, Outputs, Stored>(
            {weights + output * task.inputs, task.inputs, packed, apart}, {});
      });
}

/// y = round(W + u wᵀ) x: task.rows == 1.
template <Lanes L>
void multiplyPatched(const DotTask<typename L::Scalar>& task) {
  const auto* weights = static_cast<const typename L::Weight*>(task.weights);
  const auto* packed = static_cast<const PackedElement<L>*>(task.packed);
  // No more than four outputs, because each also keeps its u in a register.
  multiplyTiles<4>(task, [&]<int Outputs>(std::int64_t output, std::int64_t apart) {
    return Tile<L, 1, Outputs, Patched<L, Outputs>>(
        {weights + output * task.inputs, task.inputs, packed, apart},
        Patched<L, Outputs>(task.u + output, task.packedW, apart));
  });
}

template <Lanes L>
void multiplyRows(const DotTask<typename L::Scalar>& task) {
  if (asOneBatch(task.rows, [&]<int Rows>() { multiplyBatch<L, Rows>(task); })) return;
  // All batches use the same few rows of weights while these are in the cache. The number
  // of rows is a multiple of a tile's outputs, because outputs that do not fill a tile
  // are computed one at a time.
  constexpr std::int64_t kOutputsInCache = 24;
  static_assert(kOutputGrain % kOutputsInCache == 0 &&
                kOutputsInCache % L::outputsPerTile(kRowsPerBatch) == 0);
  const std::int64_t padded = blockCount<L>(task.inputs) * kBlock<L>;
  for (std::int64_t output = 0; output < task.outputs; output += kOutputsInCache)
    for (std::int64_t row = 0; row < task.rows; row += kRowsPerBatch) {
      const std::int64_t outputs = task.outputs - output, rows = task.rows - row;
      multiplyRows<L>(
          {.weights = static_cast<const typename L::Weight*>(task.weights) +
                      output * task.inputs,
           .outputs = outputs < kOutputsInCache ? outputs : kOutputsInCache,
           .inputs = task.inputs,
           .packed = static_cast<const PackedElement<L>*>(task.packed) + row * padded,
           .rows = rows < kRowsPerBatch ? rows : kRowsPerBatch,
           .y = task.y + row * task.yStride + output,
           .yStride = task.yStride,
           .order = task.order});
    }
}

}  // namespace equipatch
