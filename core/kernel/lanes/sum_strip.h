#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see pack_rows.h).
//
// Of Lanes it needs further: vectorsPerStrip(rows), so that a strip's sums, one vector of
// numbers and the rows' weights fit the registers.

#include <cstdint>
#include <cstring>

#include "core/kernel/kernel_table.h"
#include "core/kernel/pack_rows.h"
#include "core/kernel/patch_row.h"

namespace equipatch {

/// Neighbouring columns of y = p V, as many as there are registers for: all rows of V
/// pass by once.
template <typename Lanes, int Rows, int Blocks>
class SumStrip {
 public:
  using Scalar = typename Lanes::Scalar;
  using Weight = typename Lanes::Weight;
  using Vector = typename Lanes::Vector;
  static constexpr std::int64_t kColumns = Blocks * kBlock<Lanes>;

  /// @param columns of the strip that exist; fewer than kColumns only for one block
  [[gnu::always_inline]] SumStrip(const SumTask<Scalar>& task, std::int64_t column,
                                  std::int64_t columns)
      : m_task(task),
        m_values(static_cast<const Weight*>(task.values) + column),
        m_column(column),
        m_columns(columns) {}

  /// Sums of kPiece positions are added to the total, so that rounding errors grow with
  /// the number of pieces only. The other order goes from the last position to the first.
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
  static constexpr int kParts = Blocks * Lanes::kVectors;
  using Sums = Vector[Rows][kParts];

  [[gnu::always_inline]] void addPiece(std::int64_t first, bool standard) {
    const std::int64_t left = m_task.count - first, count = left < kPiece ? left : kPiece;
    Sums sums;
    for (auto& row : sums)
      for (Vector& sum : row) sum = Lanes::zero();
    if (standard)
      for (std::int64_t at = first; at < first + count; ++at) accumulate(at, sums);
    else
      for (std::int64_t at = first + count; at-- > first;) accumulate(at, sums);
    for (int row = 0; row < Rows; ++row)
      for (int part = 0; part < kParts; ++part) {
        Scalar* total = m_total[row] + part * Lanes::kWidth;
        Lanes::store(total, Lanes::add(Lanes::set(total), sums[row][part]));
      }
  }

  [[gnu::always_inline]] void accumulate(std::int64_t at, Sums& sums) const {
    Weight padded[kBlock<Lanes>];
    const Weight* values = valuesAt(at, padded);
    Vector p[Rows];
    for (int row = 0; row < Rows; ++row)
      p[row] = Lanes::broadcast(m_task.p[row * m_task.count + at]);
    for (int block = 0; block < Blocks; ++block) {
      Vector loaded[Lanes::kVectors];
      Lanes::load(values + block * kBlock<Lanes>, loaded);
      for (int part = 0; part < Lanes::kVectors; ++part)
        for (int row = 0; row < Rows; ++row) {
          Vector& sum = sums[row][block * Lanes::kVectors + part];
          sum = Lanes::multiplyAdd(loaded[part], p[row], sum);
        }
    }
  }

  /// Of a strip that the columns do not fill, a copy that ends with zeros.
  [[gnu::always_inline]] const Weight* valuesAt(std::int64_t at, Weight* padded) const {
    constexpr std::int64_t kAhead = 8;  // rows of V
    const Weight* values = m_values + at * m_task.width;
    if (Blocks == 1 && m_columns < kColumns) {
      std::memset(padded, 0, kBlock<Lanes> * sizeof(Weight));
      std::memcpy(padded, values, static_cast<std::size_t>(m_columns) * sizeof(Weight));
      return padded;
    }
    for (int block = 0; block < Blocks; ++block)
      prefetch(values + block * kBlock<Lanes>, kAhead * m_task.width);
    return values;
  }

  /// Lanes go where the loaded numbers came from.
  void write(int row, std::int64_t block) const {
    const std::int64_t first = block * kBlock<Lanes>;
    Scalar* y = m_task.y + row * m_task.width + m_column + first;
    for (int slot = 0; slot < kBlock<Lanes>; ++slot)
      if (first + Lanes::source(slot) < m_columns)
        y[Lanes::source(slot)] = m_total[row][first + slot];
  }

  const SumTask<Scalar>& m_task;
  const Weight* m_values;
  std::int64_t m_column;
  std::int64_t m_columns;
  alignas(64) Scalar m_total[Rows][kColumns] = {};
};

}  // namespace equipatch
