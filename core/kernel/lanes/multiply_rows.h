#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see pack_rows.h).
//
// Of Lanes it needs further: outputsPerTile(rows), so that a tile's sums, weights and x
// fit the registers.

#include <cstdint>

#include "core/kernel/dot_tile.h"
#include "core/kernel/kernel_table.h"
#include "core/kernel/mix_columns.h"
#include "core/kernel/pack_rows.h"
#include "core/kernel/round_row.h"

namespace equipatch {

/// All outputs of a task; tileAt<n>(output, apart) makes the tile of n outputs that are
/// `apart` from each other.
///
/// The outputs are divided into as many bands as a tile has rows, which takes one of
/// each: so each of its rows goes on where the one of the last tile ended, and the
/// processor sees a few long walks through memory. Neighbouring rows side by side would
/// be short walks, two to a page where rows are short, which some processors do not
/// follow.
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

template <typename Lanes, int Rows>
void multiplyBatch(const DotTask<typename Lanes::Scalar>& task) {
  static_assert(kOutputGrain % Lanes::outputsPerTile(Rows) == 0);
  const auto* weights = static_cast<const typename Lanes::Weight*>(task.weights);
  multiplyTiles<Lanes::outputsPerTile(Rows)>(
      task, [&]<int Outputs>(std::int64_t output, std::int64_t apart) {
        return Tile<Lanes, Rows, Outputs, Stored>(
            {weights + output * task.inputs, task.inputs, task.packed, apart}, {});
      });
}

/// The one row of x times round(W + u wᵀ).
template <typename Lanes>
void multiplyPatched(const DotTask<typename Lanes::Scalar>& task) {
  const auto* weights = static_cast<const typename Lanes::Weight*>(task.weights);
  // Each output needs a register for u too.
  multiplyTiles<4>(task, [&]<int Outputs>(std::int64_t output, std::int64_t apart) {
    return Tile<Lanes, 1, Outputs, Patched<Lanes, Outputs>>(
        {weights + output * task.inputs, task.inputs, task.packed, apart},
        Patched<Lanes, Outputs>(task.u + output, task.packedW, apart));
  });
}

template <typename Lanes>
void multiplyRows(const DotTask<typename Lanes::Scalar>& task) {
  if (asOneBatch(task.rows, [&]<int Rows>() { multiplyBatch<Lanes, Rows>(task); }))
    return;
  // More rows than one batch: some outputs at a time, whose weights stay in cache.
  constexpr std::int64_t kOutputsInCache = 16;
  const std::int64_t padded = blockCount<Lanes>(task.inputs) * kBlock<Lanes>;
  for (std::int64_t output = 0; output < task.outputs; output += kOutputsInCache)
    for (std::int64_t row = 0; row < task.rows; row += kRowsPerBatch) {
      const std::int64_t outputs = task.outputs - output, rows = task.rows - row;
      multiplyRows<Lanes>(
          {.weights = static_cast<const typename Lanes::Weight*>(task.weights) +
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

template <typename Lanes>
constexpr WeightKernels<typename Lanes::Scalar> weightKernelsOf() {
  return {kBlock<Lanes>,           &packRows<Lanes>, &multiplyRows<Lanes>,
          &multiplyPatched<Lanes>, &patchRow<Lanes>, &sumRows<Lanes>,
          &roundRow<Lanes>};
}

}  // namespace equipatch
