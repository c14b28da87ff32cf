// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/lanes.h"

namespace equipatch {

/// The cache that receives the data; the values are localities of __builtin_prefetch.
enum class Cache { First = 3, Second = 2 };

template <Cache Into = Cache::Second, typename Weight>
[[gnu::always_inline]] inline void prefetch(const Weight* weights, std::int64_t ahead) {
  // Computed as an integer, because a pointer must not leave its array.
  const auto address = reinterpret_cast<std::uintptr_t>(weights) +
                       static_cast<std::uintptr_t>(ahead) * sizeof(Weight);
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, static_cast<int>(Into));
}

/// Replaces a loaded block of W by round(W + u w). The product is rounded before the sum:
/// a fused operation would give other bits than the stored patched matrix has.
template <Lanes L>
[[gnu::always_inline]] inline void patchVectors(
    typename L::Vector (&vectors)[L::kVectors], typename L::Vector u,
    const typename L::Scalar* packedW) {
  for (int part = 0; part < L::kVectors; ++part) {
    const auto w = L::load(packedW + part * L::kWidth);
    vectors[part] = L::roundToWeight(L::add(vectors[part], L::multiply(u, w)));
  }
}

/// Tag of a tile with unpatched weights.
struct Stored {
  static constexpr bool kPatched = false;
};

/// The patch of a tile: turns W in registers into round(W + u wᵀ).
template <Lanes L, int Outputs>
class Patched {
 public:
  static constexpr bool kPatched = true;

  /// @param u [Outputs], with a stride of `apart` elements
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

/// The operands of a tile: rows of a matrix and a packed batch of rows of x.
template <Lanes L>
struct TileOperands {
  const typename L::Weight* weights;  // the tile's first row
  std::int64_t inputs;
  const PackedElement<L>* packed;
  std::int64_t apart = 1;  // from one row of the tile to the next, in rows of the matrix
};

}  // namespace equipatch
