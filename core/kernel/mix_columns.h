#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see pack_rows.h).

#include <cstdint>

#include "core/kernel/kernel_table.h"
#include "core/kernel/mix_strip.h"
#include "core/kernel/pack_rows.h"

namespace equipatch {

/// All columns of a task for as many rows, strip by strip.
template <typename Lanes, int Rows>
void sumBatch(const SumTask<typename Lanes::Scalar>& task) {
  constexpr int kPossible = Lanes::vectorsPerStrip(Rows) / Lanes::kVectors;
  constexpr int kBlocks = kPossible < 1 ? 1 : kPossible;
  std::int64_t column = 0;
  for (; column + kBlocks * kBlock<Lanes> <= task.columns;
       column += kBlocks * kBlock<Lanes>)
    SumStrip<Lanes, Rows, kBlocks>(task, column, kBlocks * kBlock<Lanes>).run();
  for (; column < task.columns; column += kBlock<Lanes>) {
    const std::int64_t left = task.columns - column;
    SumStrip<Lanes, Rows, 1>(task, column, left < kBlock<Lanes> ? left : kBlock<Lanes>)
        .run();
  }
}

/// For all rows, a batch at a time.
template <typename Lanes>
void sumRows(const SumTask<typename Lanes::Scalar>& task) {
  if (asOneBatch(task.rows, [&]<int Rows>() { sumBatch<Lanes, Rows>(task); })) return;
  for (std::int64_t row = 0; row < task.rows; row += kRowsPerBatch) {
    SumTask<typename Lanes::Scalar> batch = task;
    const std::int64_t rows = task.rows - row;
    batch.p = task.p + row * task.count;
    batch.rows = rows < kRowsPerBatch ? rows : kRowsPerBatch;
    batch.y = task.y + row * task.width;
    sumRows<Lanes>(batch);
  }
}

}  // namespace equipatch
