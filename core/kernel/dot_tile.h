#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set,
// so that the templates are compiled for it. Their Lanes argument is a type local to that
// file: no instance is shared between files.
//
// Lanes: Scalar, Weight, Vector; kVectors, kWidth (a block is kVectors × kWidth weights);
// outputsPerTile(rows); load(weights, Vector[kVectors]); set(pointer), zero(),
// multiplyAdd(a, b, sum), add(a, b), sum(vector), store(pointer, vector);
// source(slot): which element of a block of x meets lane `slot` of the loaded weights.

#include <cstdint>
#include <cstring>

#include "core/kernel/vector_code.h"

namespace equipatch {

template <typename Lanes>
inline constexpr std::int64_t kBlock = std::int64_t{Lanes::kVectors} * Lanes::kWidth;

template <typename Lanes>
std::int64_t blockCount(std::int64_t inputs) {
  return (inputs + kBlock<Lanes> - 1) / kBlock<Lanes>;
}

/// Into the second-level cache: the few fill buffers of the first would limit the rate to
/// about half of what memory gives. Running past the end of the matrix does no harm.
template <typename Weight>
[[gnu::always_inline]] inline void prefetchAhead(const Weight* weights) {
  constexpr std::uintptr_t kBytesAhead = 16 * 1024;
  __builtin_prefetch(reinterpret_cast<const void*>(
                         reinterpret_cast<std::uintptr_t>(weights) + kBytesAhead),
                     0, 2);
}

/// Batches of up to four rows, one after the other; within a batch [block][row][slot], so
/// that one pointer walks through all rows. The end is padded with zeros.
template <typename Lanes>
void packRows(const typename Lanes::Scalar* x, std::int64_t rows, std::int64_t inputs,
              typename Lanes::Scalar* packed) {
  const std::int64_t full = inputs / kBlock<Lanes>;
  for (std::int64_t first = 0; first < rows; first += kRowsPerBatch) {
    const std::int64_t count =
        rows - first < kRowsPerBatch ? rows - first : kRowsPerBatch;
    for (std::int64_t row = 0; row < count; ++row) {
      const typename Lanes::Scalar* from = x + (first + row) * inputs;
      typename Lanes::Scalar* to = packed + row * kBlock<Lanes>;
      for (std::int64_t block = 0; block < full; ++block) {
        for (int slot = 0; slot < kBlock<Lanes>; ++slot)
          to[slot] = from[Lanes::source(slot)];
        from += kBlock<Lanes>;
        to += count * kBlock<Lanes>;
      }
      const std::int64_t rest = inputs - full * kBlock<Lanes>;
      for (int slot = 0; rest > 0 && slot < kBlock<Lanes>; ++slot)
        to[slot] = Lanes::source(slot) < rest ? from[Lanes::source(slot)] : 0;
    }
    packed += count * blockCount<Lanes>(inputs) * kBlock<Lanes>;
  }
}

/// Outputs × Rows dot products whose sums stay in registers.
template <typename Lanes, int Rows, int Outputs>
class Tile {
 public:
  using Scalar = typename Lanes::Scalar;
  using Weight = typename Lanes::Weight;
  using Vector = typename Lanes::Vector;

  Tile(const Weight* weights, std::int64_t inputs, const Scalar* packed)
      : m_weights(weights), m_inputs(inputs), m_packed(packed) {
    const std::int64_t rest = inputs % kBlock<Lanes>;
    if (rest == 0) return;
    std::memset(m_rest, 0, sizeof m_rest);
    for (int output = 0; output < Outputs; ++output)
      std::memcpy(m_rest[output], weights + (output + 1) * inputs - rest,
                  static_cast<std::size_t>(rest) * sizeof(Weight));
  }

  /// One sum a lane, from the first block to the last; lanes are added by halves.
  [[gnu::always_inline]] void standard(Scalar* y, std::int64_t stride) const {
    Vector sums[Outputs][Rows];
    clear(sums);
    const std::int64_t full = m_inputs / kBlock<Lanes>;
    for (std::int64_t block = 0; block < full; ++block) accumulateFull(block, sums);
    if (m_inputs % kBlock<Lanes> != 0) accumulateRest(full, sums);
    for (int output = 0; output < Outputs; ++output)
      for (int row = 0; row < Rows; ++row)
        y[row * stride + output] = Lanes::sum(sums[output][row]);
  }

  /// Two sums a lane, one for each half of the blocks, both from the last block to the
  /// first; lanes are added one by one from the last.
  [[gnu::always_inline]] void alternate(Scalar* y, std::int64_t stride) const {
    Vector front[Outputs][Rows], back[Outputs][Rows];
    clear(front);
    clear(back);
    const std::int64_t full = m_inputs / kBlock<Lanes>;
    const std::int64_t middle = blockCount<Lanes>(m_inputs) / 2;
    if (m_inputs % kBlock<Lanes> != 0) accumulateRest(full, back);
    for (std::int64_t block = full - 1; block >= middle; --block)
      accumulateFull(block, back);
    for (std::int64_t block = middle - 1; block >= 0; --block)
      accumulateFull(block, front);
    for (int output = 0; output < Outputs; ++output)
      for (int row = 0; row < Rows; ++row)
        y[row * stride + output] =
            sumFromLast(Lanes::add(back[output][row], front[output][row]));
  }

 private:
  [[gnu::always_inline]] static void clear(Vector (&sums)[Outputs][Rows]) {
    for (auto& output : sums)
      for (Vector& sum : output) sum = Lanes::zero();
  }

  [[gnu::always_inline]] void accumulateFull(std::int64_t block,
                                             Vector (&sums)[Outputs][Rows]) const {
    for (int output = 0; output < Outputs; ++output)
      prefetchAhead(m_weights + output * m_inputs + block * kBlock<Lanes>);
    accumulate(m_weights + block * kBlock<Lanes>, m_inputs, block, sums);
  }

  [[gnu::always_inline]] void accumulateRest(std::int64_t block,
                                             Vector (&sums)[Outputs][Rows]) const {
    accumulate(m_rest[0], kBlock<Lanes>, block, sums);
  }

  [[gnu::always_inline]] void accumulate(const Weight* weights, std::int64_t stride,
                                         std::int64_t block,
                                         Vector (&sums)[Outputs][Rows]) const {
    Vector loaded[Outputs][Lanes::kVectors];
    for (int output = 0; output < Outputs; ++output)
      Lanes::load(weights + output * stride, loaded[output]);
    const Scalar* x = m_packed + block * Rows * kBlock<Lanes>;
    for (int part = 0; part < Lanes::kVectors; ++part)
      for (int row = 0; row < Rows; ++row) {
        const Vector inputs = Lanes::set(x + row * kBlock<Lanes> + part * Lanes::kWidth);
        for (int output = 0; output < Outputs; ++output)
          sums[output][row] =
              Lanes::multiplyAdd(loaded[output][part], inputs, sums[output][row]);
      }
  }

  static Scalar sumFromLast(Vector vector) {
    Scalar lanes[Lanes::kWidth];
    Lanes::store(lanes, vector);
    Scalar sum = lanes[Lanes::kWidth - 1];
    for (int lane = Lanes::kWidth - 2; lane >= 0; --lane) sum += lanes[lane];
    return sum;
  }

  const Weight* m_weights;  // [Outputs, inputs]
  std::int64_t m_inputs;
  const Scalar* m_packed;
  Weight m_rest[Outputs][kBlock<Lanes>];  // the last, incomplete blocks, padded
};

/// All outputs of the task for one batch of rows.
template <typename Lanes, int Rows>
void multiplyBatch(const DotTask<typename Lanes::Scalar>& task) {
  constexpr int kOutputs = Lanes::outputsPerTile(Rows);
  const auto* weights = static_cast<const typename Lanes::Weight*>(task.weights);
  const auto run = [&]<int Outputs>(std::int64_t output) {
    const Tile<Lanes, Rows, Outputs> tile(weights + output * task.inputs, task.inputs,
                                          task.packed);
    tile.standard(task.y + output, task.yStride);
  };
  std::int64_t output = 0;
  if (task.order == SummationOrder::Standard) {
    for (; output + kOutputs <= task.outputs; output += kOutputs)
      run.template operator()<kOutputs>(output);
    for (; output < task.outputs; ++output) run.template operator()<1>(output);
    return;
  }
  for (; output < task.outputs; ++output)
    Tile<Lanes, Rows, 1>(weights + output * task.inputs, task.inputs, task.packed)
        .alternate(task.y + output, task.yStride);
}

template <typename Lanes>
void multiplyRows(const DotTask<typename Lanes::Scalar>& task) {
  switch (task.rows) {
    case 1:
      return multiplyBatch<Lanes, 1>(task);
    case 2:
      return multiplyBatch<Lanes, 2>(task);
    case 3:
      return multiplyBatch<Lanes, 3>(task);
    case 4:
      return multiplyBatch<Lanes, 4>(task);
    default:
      break;
  }
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

}  // namespace equipatch
