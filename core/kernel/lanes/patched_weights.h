#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see dot_tile.h).
//
// Of Lanes it needs: Scalar, Weight, Vector, kVectors, kWidth; load(weights,
// Vector[kVectors]); put(weights, Vector[kVectors]), which undoes `load`;
// rounded(vector), to the nearest number that Weight has, ties to even, NaN to NaN;
// broadcast(scalar), multiply(a, b), add(a, b), set(pointer).

#include <cstdint>
#include <cstring>

#include "core/kernel/kernel_table.h"
#include "core/kernel/pack_rows.h"

namespace equipatch {

/// The cache that memory is fetched into, as the builtin counts them.
enum class Cache { First = 3, Second = 2 };

template <Cache Into = Cache::Second, typename Weight>
[[gnu::always_inline]] inline void prefetch(const Weight* weights, std::int64_t ahead) {
  // In integers, because a pointer must not run past the end.
  const auto address = reinterpret_cast<std::uintptr_t>(weights) +
                       static_cast<std::uintptr_t>(ahead) * sizeof(Weight);
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, static_cast<int>(Into));
}

/// round(W + u w) of one loaded block. The product and the sum are rounded one after the
/// other, as they are where the outer product is formed first; fused they would not be
/// what one stores.
template <typename Lanes>
[[gnu::always_inline]] inline void patchVectors(
    typename Lanes::Vector (&vectors)[Lanes::kVectors], typename Lanes::Vector u,
    const typename Lanes::Scalar* packedW) {
  for (int part = 0; part < Lanes::kVectors; ++part) {
    const auto w = Lanes::set(packedW + part * Lanes::kWidth);
    vectors[part] = Lanes::rounded(Lanes::add(vectors[part], Lanes::multiply(u, w)));
  }
}

template <typename Lanes>
[[gnu::always_inline]] inline void patchBlock(const typename Lanes::Weight* weights,
                                              typename Lanes::Vector u,
                                              const typename Lanes::Scalar* packedW,
                                              typename Lanes::Weight* out) {
  typename Lanes::Vector vectors[Lanes::kVectors];
  Lanes::load(weights, vectors);
  patchVectors<Lanes>(vectors, u, packedW);
  Lanes::put(out, vectors);
}

template <typename Lanes>
void patchRow(const PatchedRow<typename Lanes::Scalar>& row) {
  using Weight = typename Lanes::Weight;
  const auto* weights = static_cast<const Weight*>(row.weights);
  auto* out = static_cast<Weight*>(row.out);
  constexpr std::int64_t kAhead = 16 * 1024 / sizeof(Weight);
  const typename Lanes::Vector u = Lanes::broadcast(row.u);
  const std::int64_t full = row.inputs / kBlock<Lanes> * kBlock<Lanes>;
  for (std::int64_t input = 0; input < full; input += kBlock<Lanes>) {
    prefetch(weights + input, kAhead);
    patchBlock<Lanes>(weights + input, u, row.packedW + input, out + input);
  }
  if (full == row.inputs) return;
  const std::size_t restBytes =
      static_cast<std::size_t>(row.inputs - full) * sizeof(Weight);
  Weight rest[kBlock<Lanes>] = {};
  std::memcpy(rest, weights + full, restBytes);
  patchBlock<Lanes>(rest, u, row.packedW + full, rest);
  std::memcpy(out + full, rest, restBytes);
}

}  // namespace equipatch
