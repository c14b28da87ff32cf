#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see pack_rows.h).
//
// Of Lanes it needs further: load(weights, Vector[kVectors]), zero(),
// multiplyAdd(a, b, sum), add(a, b), sum(vector), store(pointer, vector).

#include <cstdint>
#include <cstring>

#include "core/kernel/kernel_table.h"
#include "core/kernel/pack_rows.h"
#include "core/kernel/patch_row.h"
#include "core/kernel/tile_weights.h"

namespace equipatch {

/// Outputs × Rows dot products whose sums stay in registers.
template <typename Lanes, int Rows, int Outputs, typename Patch>
class Tile {
  template <typename, int, int, typename>
  friend class Tile;

 public:
  using Scalar = typename Lanes::Scalar;
  using Weight = typename Lanes::Weight;
  using Vector = typename Lanes::Vector;

  [[gnu::always_inline]] Tile(const TileInputs<Lanes>& from, const Patch& patch)
      : m_from(from), m_patch(patch) {}

  /// One sum a lane, from the first block to the last; lanes are added by halves.
  ///
  /// Meanwhile what follows is fetched, of the last blocks the next tile's rows: so near
  /// that it is still in the first-level cache when it is asked for, beside x. Past the
  /// end of the matrix that does no harm.
  [[gnu::always_inline]] void standard(Scalar* y, std::int64_t stride) const {
    Sums sums;
    clear(sums);
    const std::int64_t full = m_from.inputs / kBlock<Lanes>;
    for (std::int64_t block = 0; block < full; ++block)
      accumulateFull</*FetchNext=*/true>(block, sums);
    if (m_from.inputs % kBlock<Lanes> != 0) accumulateRest(sums);
    for (int output = 0; output < Outputs; ++output)
      for (int row = 0; row < Rows; ++row)
        y[row * stride + output * m_from.apart] = Lanes::sum(sums[output][row]);
  }

  /// The other order: two sums a lane, one for each half of the blocks, both from the
  /// last block to the first; lanes are added one by one from the last.
  [[gnu::always_inline]] void alternate(Scalar* y, std::int64_t stride) const {
    Sums front, back;
    clear(front);
    clear(back);
    const std::int64_t full = m_from.inputs / kBlock<Lanes>;
    const std::int64_t middle = blockCount<Lanes>(m_from.inputs) / 2;
    if (m_from.inputs % kBlock<Lanes> != 0) accumulateRest(back);
    for (std::int64_t block = full - 1; block >= middle; --block)
      accumulateFull(block, back);
    for (std::int64_t block = middle - 1; block >= 0; --block)
      accumulateFull(block, front);
    for (int output = 0; output < Outputs; ++output)
      for (int row = 0; row < Rows; ++row)
        y[row * stride + output * m_from.apart] =
            sumFromLast(Lanes::add(back[output][row], front[output][row]));
  }

 private:
  using Sums = Vector[Outputs][Rows];
  static constexpr std::int64_t kAhead = 768 / sizeof(Weight);

  [[gnu::always_inline]] static void clear(Sums& sums) {
    for (auto& output : sums)
      for (Vector& sum : output) sum = Lanes::zero();
  }

  using Loaded = Vector[Lanes::kVectors];

  [[gnu::always_inline]] const Weight* rowOf(int output) const {
    return m_from.weights + output * m_from.apart * m_from.inputs;
  }

  template <bool FetchNext = false>
  [[gnu::always_inline]] void accumulateFull(std::int64_t block, Sums& sums) const {
    accumulate<FetchNext>(m_from.weights + block * kBlock<Lanes>,
                          m_from.apart * m_from.inputs, block, sums);
  }

  /// A block of every row of weights: of x all vectors stay in registers beside the sums,
  /// of the weights those of one row at a time. Fetches are spread between the sums: a
  /// burst of them would keep the loads behind it waiting.
  template <bool FetchNext = false>
  [[gnu::always_inline]] void accumulate(const Weight* weights, std::int64_t stride,
                                         std::int64_t block, Sums& sums) const {
    Vector inputs[Lanes::kVectors][Rows];
    const Scalar* x = m_from.packed + block * Rows * kBlock<Lanes>;
    for (int part = 0; part < Lanes::kVectors; ++part)
      for (int row = 0; row < Rows; ++row)
        inputs[part][row] = Lanes::set(x + row * kBlock<Lanes> + part * Lanes::kWidth);
    for (int output = 0; output < Outputs; ++output) {
      Loaded loaded;
      Lanes::load(weights + output * stride, loaded);
      if constexpr (FetchNext) prefetch<Cache::First>(weights + output * stride, kAhead);
      if constexpr (Patch::kPatched) m_patch.apply(output, block, loaded);
      for (int part = 0; part < Lanes::kVectors; ++part)
        for (int row = 0; row < Rows; ++row)
          sums[output][row] =
              Lanes::multiplyAdd(loaded[part], inputs[part][row], sums[output][row]);
    }
  }

  /// The last, incomplete block, padded with zeros.
  [[gnu::always_inline]] void accumulateRest(Sums& sums) const {
    const std::int64_t rest = m_from.inputs % kBlock<Lanes>,
                       block = m_from.inputs / kBlock<Lanes>;
    const std::size_t bytes = static_cast<std::size_t>(rest) * sizeof(Weight);
    Weight padded[Outputs][kBlock<Lanes>] = {};
    for (int output = 0; output < Outputs; ++output) {
      std::memcpy(padded[output], rowOf(output) + m_from.inputs - rest, bytes);
      if constexpr (Patch::kPatched) patchRest(output, block, padded[output], bytes);
    }
    Tile<Lanes, Rows, Outputs, Stored>({padded[0], m_from.inputs, m_from.packed}, {})
        .accumulate(padded[0], kBlock<Lanes>, block, sums);
  }

  /// What is behind the end stays zero: an infinite u would make NaN of it.
  [[gnu::always_inline]] void patchRest(int output, std::int64_t block, Weight* padded,
                                        std::size_t bytes) const {
    Loaded loaded;
    Lanes::load(padded, loaded);
    m_patch.apply(output, block, loaded);
    Weight patched[kBlock<Lanes>];
    Lanes::put(patched, loaded);
    std::memcpy(padded, patched, bytes);
  }

  static Scalar sumFromLast(Vector vector) {
    Scalar lanes[Lanes::kWidth];
    Lanes::store(lanes, vector);
    Scalar sum = lanes[Lanes::kWidth - 1];
    for (int lane = Lanes::kWidth - 2; lane >= 0; --lane) sum += lanes[lane];
    return sum;
  }

  TileInputs<Lanes> m_from;
  Patch m_patch;
};

}  // namespace equipatch
