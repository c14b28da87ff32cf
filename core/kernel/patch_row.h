#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see dot_tile.h).
//
// Of Lanes it needs further: broadcast(scalar), multiply(a, b); storeRounded(weights,
// Vector[kVectors]), which undoes `load` and rounds to nearest, ties to even; what is not
// a number stays one.

#include <cstdint>
#include <cstring>

#include "core/kernel/dot_tile.h"
#include "core/kernel/vector_code.h"

namespace equipatch {

/// The product and the sum are rounded one after the other, as they are where the outer
/// product is formed first; fused they would not be what one stores.
template <typename Lanes>
[[gnu::always_inline]] inline void patchBlock(const typename Lanes::Weight* weights,
                                              typename Lanes::Vector u,
                                              const typename Lanes::Scalar* w,
                                              typename Lanes::Weight* out) {
  typename Lanes::Vector sums[Lanes::kVectors];
  Lanes::load(weights, sums);
  for (int part = 0; part < Lanes::kVectors; ++part)
    sums[part] =
        Lanes::add(sums[part], Lanes::multiply(u, Lanes::set(w + part * Lanes::kWidth)));
  Lanes::storeRounded(out, sums);
}

template <typename Lanes>
void patchRow(const PatchedRow<typename Lanes::Scalar>& row) {
  using Weight = typename Lanes::Weight;
  const auto* weights = static_cast<const Weight*>(row.weights);
  auto* out = static_cast<Weight*>(row.out);
  const typename Lanes::Vector u = Lanes::broadcast(row.u);
  const std::int64_t full = row.inputs / kBlock<Lanes> * kBlock<Lanes>;
  for (std::int64_t input = 0; input < full; input += kBlock<Lanes>) {
    prefetchAhead(weights + input);
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

template <typename Lanes>
constexpr WeightCode<typename Lanes::Scalar> weightCodeOf() {
  return {kBlock<Lanes>, &packRows<Lanes>, &multiplyRows<Lanes>, &patchRow<Lanes>};
}

}  // namespace equipatch
