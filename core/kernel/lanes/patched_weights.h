// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/lanes.h"

namespace equipatch {

/// The cache that `prefetch` fetches into. Values are localities of __builtin_prefetch.
enum class Cache { First = 3, Second = 2 };

template <Cache Into = Cache::Second, typename Weight>
[[gnu::always_inline]] inline void prefetch(const Weight* weights, std::int64_t ahead) {
  // Computed as an integer, because a pointer must not leave its array.
  const auto address = reinterpret_cast<std::uintptr_t>(weights) +
                       static_cast<std::uintptr_t>(ahead) * sizeof(Weight);
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, static_cast<int>(Into));
}

/// Replaces a loaded block of W by round(W + u w). The product and the sum are rounded
/// one after the other, as when u wᵀ is formed first: a fused operation would give other
/// bits than the stored matrix has.
template <Lanes L>
[[gnu::always_inline]] inline void patchVectors(
    typename L::Vector (&vectors)[L::kVectors], typename L::Vector u,
    const typename L::Scalar* packedW) {
  for (int part = 0; part < L::kVectors; ++part) {
    const auto w = L::load(packedW + part * L::kWidth);
    vectors[part] = L::roundToWeight(L::add(vectors[part], L::multiply(u, w)));
  }
}

/// Tag of a tile whose weights are used as they are stored.
struct Stored {
  static constexpr bool kPatched = false;
};

/// The patch of a tile that uses round(W + u wᵀ), formed in registers.
template <Lanes L, int Outputs>
class Patched {
 public:
  static constexpr bool kPatched = true;

  /// @param u points to the element for the tile's first row; the element for each
  ///        following row is `apart` elements further
  Patched(const typename L::Scalar* u, const typename L::Scalar* packedW,
          std::int64_t apart)
      : m_packedW(packedW) {
    for (int output = 0; output < Outputs; ++output)
      m_u[output] = L::broadcast(u[output * apart]);
  }

  [[gnu::always_inline]] void apply(int output, std::int64_t block,
                                    typename L::Vector (&weights)[L::kVectors]) const {
    patchVectors<L>(weights, m_u[output], m_packedW + block * kBlock<L>);
  }

 private:
  typename L::Vector m_u[Outputs];
  const typename L::Scalar* m_packedW;
};

/// The operands of a tile: some rows of a matrix and a batch of packed rows of x.
template <Lanes L>
struct TileOperands {
  const typename L::Weight* weights;  // the first row
  std::int64_t inputs;
  const PackedElement<L>* packed;
  std::int64_t apart = 1;  // step from one row of the tile to the next, in matrix rows
};

}  // namespace equipatch
