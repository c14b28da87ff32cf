// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/pack_rows.h"
#include "core/kernel/lanes/patched_weights.h"
#include "core/kernel/lanes/tile_block.h"

namespace equipatch {

/// Outputs × Rows dot products whose sums stay in registers.
template <Lanes L, int Rows, int Outputs, typename Patch>
class Tile {
  template <Lanes, int, int, typename>
  friend class Tile;

 public:
  using Scalar = typename L::Scalar;
  using Weight = typename L::Weight;
  using Vector = typename L::Vector;

  [[gnu::always_inline]] Tile(const TileOperands<L>& from, const Patch& patch)
      : m_from(from), m_patch(patch) {}

  /// The standard order: one sum per lane, from the first block to the last; then the
  /// lanes are added by halves. A prefetch past the end of the matrix is harmless.
  [[gnu::always_inline]] void standard(Scalar* y, std::int64_t stride) const {
    Sums sums;
    clear(sums);
    const std::int64_t full = m_from.inputs / kBlock<L>;
    for (std::int64_t block = 0; block < full; ++block)
      accumulateFull<Prefetch::Next>(block, sums);
    if (m_from.inputs % kBlock<L> != 0) accumulateRest(sums);
    for (int output = 0; output < Outputs; ++output)
      for (int row = 0; row < Rows; ++row)
        y[row * stride + output * m_from.apart] = L::sum(sums[output][row]);
  }

  /// The alternate order: one sum per lane for each half of the blocks, from the half's
  /// last block to its first. Then the halves are added, then the lanes one by one from
  /// the last.
  [[gnu::always_inline]] void alternate(Scalar* y, std::int64_t stride) const {
    Sums front, back;
    clear(front);
    clear(back);
    const std::int64_t full = m_from.inputs / kBlock<L>;
    const std::int64_t middle = blockCount<L>(m_from.inputs) / 2;
    if (m_from.inputs % kBlock<L> != 0) accumulateRest(back);
    for (std::int64_t block = full - 1; block >= middle; --block)
      accumulateFull(block, back);
    for (std::int64_t block = middle - 1; block >= 0; --block)
      accumulateFull(block, front);
    for (int output = 0; output < Outputs; ++output)
      for (int row = 0; row < Rows; ++row)
        y[row * stride + output * m_from.apart] =
            sumFromLast(L::add(back[output][row], front[output][row]));
  }

 private:
  using Sums = Vector[Outputs][Rows];

  [[gnu::always_inline]] static void clear(Sums& sums) {
    for (auto& output : sums)
      for (Vector& sum : output) sum = L::zero();
  }

  using Loaded = Vector[L::kVectors];

  [[gnu::always_inline]] const Weight* rowOf(int output) const {
    return m_from.weights + output * m_from.apart * m_from.inputs;
  }

  template <Prefetch Fetch = Prefetch::None>
  [[gnu::always_inline]] void accumulateFull(std::int64_t block, Sums& sums) const {
    accumulate<Fetch>(m_from.weights + block * kBlock<L>, m_from.apart * m_from.inputs,
                      block, sums);
  }

  template <Prefetch Fetch = Prefetch::None>
  [[gnu::always_inline]] void accumulate(const Weight* weights, std::int64_t stride,
                                         std::int64_t block, Sums& sums) const {
    addProducts<L, Fetch>(weights, stride, m_from.packed + block * Rows * kBlock<L>,
                          block, m_patch, sums);
  }

  /// Adds the last, incomplete block.
  [[gnu::always_inline]] void accumulateRest(Sums& sums) const {
    const std::int64_t rest = m_from.inputs % kBlock<L>,
                       block = m_from.inputs / kBlock<L>;
    const std::size_t bytes = static_cast<std::size_t>(rest) * sizeof(Weight);
    Weight padded[Outputs][kBlock<L>] = {};
    for (int output = 0; output < Outputs; ++output) {
      std::memcpy(padded[output], rowOf(output) + m_from.inputs - rest, bytes);
      if constexpr (Patch::kPatched) patchRest(output, block, padded[output], bytes);
    }
    Tile<L, Rows, Outputs, Stored>({padded[0], m_from.inputs, m_from.packed}, {})
        .accumulate(padded[0], kBlock<L>, block, sums);
  }

  /// Leaves the zeros after the first `bytes` unpatched: an infinite u times w's padding
  /// would be NaN.
  [[gnu::always_inline]] void patchRest(int output, std::int64_t block, Weight* padded,
                                        std::size_t bytes) const {
    Loaded loaded;
    L::loadWeights(padded, loaded);
    m_patch.apply(output, block, loaded);
    Weight patched[kBlock<L>];
    L::storeWeights(patched, loaded);
    std::memcpy(padded, patched, bytes);
  }

  static Scalar sumFromLast(Vector vector) {
    Scalar lanes[L::kWidth];
    L::store(lanes, vector);
    Scalar sum = lanes[L::kWidth - 1];
    for (int lane = L::kWidth - 2; lane >= 0; --lane) sum += lanes[lane];
    return sum;
  }

  TileOperands<L> m_from;
  Patch m_patch;
};

}  // namespace equipatch
