// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/kernel/lanes/lanes.h"
#include "core/kernel/lanes/patched_weights.h"

namespace equipatch {

/// Next: prefetches the weights 1280 bytes ahead into the first-level cache.
enum class Prefetch { None, Next };

template <Prefetch Fetch, typename Weight>
[[gnu::always_inline]] inline void prefetchNext(const Weight* weights) {
  if constexpr (Fetch == Prefetch::Next)
    prefetch<Cache::First>(weights, 1280 / sizeof(Weight));
}

template <Lanes L>
[[gnu::always_inline]] inline void loadInputs(
    const PackedElement<L>* x, typename L::Vector (&vectors)[L::kVectors]) {
  if constexpr (std::is_same_v<PackedElement<L>, typename L::Scalar>)
    for (int part = 0; part < L::kVectors; ++part)
      vectors[part] = L::load(x + part * L::kWidth);
  else
    L::loadWeights(x, vectors);
}

/// Multiplies block `block` of each row of weights by the same block of each row of x,
/// and adds the products to `sums`. Prefetches for one row of weights at a time, because
/// a burst of prefetches would delay later loads.
/// @param weights the block in the tile's first row
/// @param stride elements from one row of the tile to the next
/// @param x the block in each row of x: [Rows, kBlock]
template <Lanes L, Prefetch Fetch, int Rows, int Outputs, typename Patch>
[[gnu::always_inline]] inline void addBlock(const typename L::Weight* weights,
                                            std::int64_t stride,
                                            const PackedElement<L>* x, std::int64_t block,
                                            const Patch& patch,
                                            typename L::Vector (&sums)[Outputs][Rows]) {
  using Vector = typename L::Vector;
  Vector inputs[Rows][L::kVectors];
  for (int row = 0; row < Rows; ++row) loadInputs<L>(x + row * kBlock<L>, inputs[row]);
  for (int output = 0; output < Outputs; ++output) {
    Vector loaded[L::kVectors];
    L::loadWeights(weights + output * stride, loaded);
    prefetchNext<Fetch>(weights + output * stride);
    if constexpr (Patch::kPatched) patch.apply(output, block, loaded);
    for (int part = 0; part < L::kVectors; ++part)
      for (int row = 0; row < Rows; ++row)
        sums[output][row] =
            L::multiplyAdd(loaded[part], inputs[row][part], sums[output][row]);
  }
}

/// As `addBlock`, with the same bits, but keeps only one vector of each row of x in
/// registers at a time, not the whole block.
template <Lanes L, Prefetch Fetch, int Rows, int Outputs>
[[gnu::always_inline]] inline void addParts(const typename L::Weight* weights,
                                            std::int64_t stride,
                                            const typename L::Scalar* x,
                                            typename L::Vector (&sums)[Outputs][Rows]) {
  using Vector = typename L::Vector;
  for (int part = 0; part < L::kVectors; ++part) {
    Vector inputs[Rows];
    for (int row = 0; row < Rows; ++row)
      inputs[row] = L::loadToRegister(x + row * kBlock<L> + part * L::kWidth);
    for (int output = 0; output < Outputs; ++output) {
      const Vector loaded = L::loadPart(weights + output * stride, part);
      if (part == 0) prefetchNext<Fetch>(weights + output * stride);
      for (int row = 0; row < Rows; ++row)
        sums[output][row] = L::multiplyAdd(loaded, inputs[row], sums[output][row]);
    }
  }
}

template <Lanes L, Prefetch Fetch, int Rows, int Outputs, typename Patch>
[[gnu::always_inline]] inline void addProducts(
    const typename L::Weight* weights, std::int64_t stride, const PackedElement<L>* x,
    std::int64_t block, const Patch& patch, typename L::Vector (&sums)[Outputs][Rows]) {
  if constexpr (LoadsParts<L> && Rows > 1 && !Patch::kPatched)
    addParts<L, Fetch>(weights, stride, x, sums);
  else
    addBlock<L, Fetch>(weights, stride, x, block, patch, sums);
}

}  // namespace equipatch
