// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/pack_rows.h"
#include "core/kernel/lanes/patched_weights.h"

namespace equipatch {

/// Neighbouring columns of y = p V, computed in one pass over the rows of V.
template <Lanes L, int Rows, int Blocks>
class SumStrip {
 public:
  using Scalar = typename L::Scalar;
  using Weight = typename L::Weight;
  using Vector = typename L::Vector;
  static constexpr std::int64_t kColumns = Blocks * kBlock<L>;

  /// @param columns number of columns to compute: kColumns, or fewer if Blocks is 1
  [[gnu::always_inline]] SumStrip(const SumTask<Scalar>& task, std::int64_t column,
                                  std::int64_t columns)
      : m_task(task),
        m_values(static_cast<const Weight*>(task.values) + column),
        m_column(column),
        m_columns(columns) {}

  /// Computes a separate sum for every kPiece rows of V and adds it to the total, so that
  /// rounding errors grow with the number of these pieces, not with that of the rows. The
  /// alternate order runs from the last row of V to the first.
  void run() {
    const std::int64_t pieces = (m_task.count + kPiece - 1) / kPiece;
    const bool standard = m_task.order == SummationOrder::Standard;
    for (std::int64_t step = 0; step < pieces; ++step)
      addPiece((standard ? step : pieces - 1 - step) * kPiece, standard);
    for (int row = 0; row < Rows; ++row)
      for (std::int64_t block = 0; block < Blocks; ++block) write(row, block);
  }

 private:
  static constexpr std::int64_t kPiece = 128;
  static constexpr int kParts = Blocks * L::kVectors;
  using Sums = Vector[Rows][kParts];

  [[gnu::always_inline]] void addPiece(std::int64_t first, bool standard) {
    const std::int64_t left = m_task.count - first, count = left < kPiece ? left : kPiece;
    Sums sums;
    for (auto& row : sums)
      for (Vector& sum : row) sum = L::zero();
    if (standard)
      for (std::int64_t at = first; at < first + count; ++at) accumulate(at, sums);
    else
      for (std::int64_t at = first + count; at-- > first;) accumulate(at, sums);
    for (int row = 0; row < Rows; ++row)
      for (int part = 0; part < kParts; ++part) {
        Scalar* total = m_total[row] + part * L::kWidth;
        L::store(total, L::add(L::load(total), sums[row][part]));
      }
  }

  [[gnu::always_inline]] void accumulate(std::int64_t at, Sums& sums) const {
    Weight padded[kBlock<L>];
    const Weight* values = valuesAt(at, padded);
    Vector p[Rows];
    for (int row = 0; row < Rows; ++row)
      p[row] = L::broadcast(m_task.p[row * m_task.count + at]);
    for (int block = 0; block < Blocks; ++block) {
      Vector loaded[L::kVectors];
      L::loadWeights(values + block * kBlock<L>, loaded);
      for (int part = 0; part < L::kVectors; ++part)
        for (int row = 0; row < Rows; ++row) {
          Vector& sum = sums[row][block * L::kVectors + part];
          sum = L::multiplyAdd(loaded[part], p[row], sum);
        }
    }
  }

  /// The strip's part of row `at` of V; fewer than kColumns columns are copied to
  /// `padded`, followed by zeros.
  [[gnu::always_inline]] const Weight* valuesAt(std::int64_t at, Weight* padded) const {
    constexpr std::int64_t kAhead = 8;  // rows of V
    const Weight* values = m_values + at * m_task.width;
    if (Blocks == 1 && m_columns < kColumns) {
      std::memset(padded, 0, kBlock<L> * sizeof(Weight));
      std::memcpy(padded, values, static_cast<std::size_t>(m_columns) * sizeof(Weight));
      return padded;
    }
    for (int block = 0; block < Blocks; ++block)
      prefetch(values + block * kBlock<L>, kAhead * m_task.width);
    return values;
  }

  /// Stores each lane in the column that its weight was loaded from.
  void write(int row, std::int64_t block) const {
    const std::int64_t first = block * kBlock<L>;
    Scalar* y = m_task.y + row * m_task.width + m_column + first;
    for (int slot = 0; slot < kBlock<L>; ++slot)
      if (first + L::inputOf(slot) < m_columns)
        y[L::inputOf(slot)] = m_total[row][first + slot];
  }

  const SumTask<Scalar>& m_task;
  const Weight* m_values;
  std::int64_t m_column;
  std::int64_t m_columns;
  alignas(64) Scalar m_total[Rows][kColumns] = {};
};

/// All columns of a task with task.rows == Rows.
template <Lanes L, int Rows>
void sumBatch(const SumTask<typename L::Scalar>& task) {
  constexpr int kPossible = L::vectorsPerStrip(Rows) / L::kVectors;
  constexpr int kBlocks = kPossible < 1 ? 1 : kPossible;
  std::int64_t column = 0;
  for (; column + kBlocks * kBlock<L> <= task.columns; column += kBlocks * kBlock<L>)
    SumStrip<L, Rows, kBlocks>(task, column, kBlocks * kBlock<L>).run();
  for (; column < task.columns; column += kBlock<L>) {
    const std::int64_t left = task.columns - column;
    SumStrip<L, Rows, 1>(task, column, left < kBlock<L> ? left : kBlock<L>).run();
  }
}

template <Lanes L>
void sumRows(const SumTask<typename L::Scalar>& task) {
  if (asOneBatch(task.rows, [&]<int Rows>() { sumBatch<L, Rows>(task); })) return;
  for (std::int64_t row = 0; row < task.rows; row += kRowsPerBatch) {
    SumTask<typename L::Scalar> batch = task;
    const std::int64_t rows = task.rows - row;
    batch.p = task.p + row * task.count;
    batch.rows = rows < kRowsPerBatch ? rows : kRowsPerBatch;
    batch.y = task.y + row * task.width;
    sumRows<L>(batch);
  }
}

}  // namespace equipatch
