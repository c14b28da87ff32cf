#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see dot_tile.h); Format is local to that file.
//
// Format: Scalar, Weight; value(weight), exact; round(scalar), to the nearest, ties to
// even.

#include <cstdint>

#include "core/kernel/vector_code.h"

namespace equipatch {

/// The lines that lie as far ahead as memory is slow, into the second-level cache.
template <typename Weight>
void prefetchAhead(const Weight* weights, std::int64_t count) {
  constexpr std::uintptr_t kBytesAhead = 16 * 1024, kLine = 64;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(weights) + kBytesAhead;
  for (std::uintptr_t at = begin; at < begin + sizeof(Weight) * count; at += kLine)
    __builtin_prefetch(reinterpret_cast<const void*>(at), 0, 2);
}

/// The product and the sum are rounded one after the other, as they are where the outer
/// product is formed first; fused they would not be what one stores.
template <typename Format>
void patchRow(const PatchedRow<typename Format::Scalar>& row) {
  using Weight = typename Format::Weight;
  constexpr std::int64_t kPiece = 1024;
  const auto u = row.u;
  for (std::int64_t first = 0; first < row.inputs; first += kPiece) {
    const std::int64_t rest = row.inputs - first, count = rest < kPiece ? rest : kPiece;
    const Weight* from = static_cast<const Weight*>(row.weights) + first;
    const auto* w = row.w + first;
    Weight* __restrict to = static_cast<Weight*>(row.out) + first;
    prefetchAhead(from, count);
    for (std::int64_t input = 0; input < count; ++input)
      to[input] = Format::round(Format::value(from[input]) + u * w[input]);
  }
}

}  // namespace equipatch
