#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see pack_rows.h).
//
// Of Lanes it needs: Scalar, kWidth; set(pointer), rounded(vector), store(pointer,
// vector).

#include <cstdint>
#include <cstring>

#include "core/kernel/kernel_table.h"

namespace equipatch {

/// The nearest number that a weight can be, of each; `to` may be `from`.
template <typename Lanes>
void roundRow(const typename Lanes::Scalar* from, std::int64_t count,
              typename Lanes::Scalar* to) {
  using Scalar = typename Lanes::Scalar;
  std::int64_t at = 0;
  for (; at + Lanes::kWidth <= count; at += Lanes::kWidth)
    Lanes::store(to + at, Lanes::rounded(Lanes::set(from + at)));
  if (at == count) return;
  const std::size_t restBytes = static_cast<std::size_t>(count - at) * sizeof(Scalar);
  Scalar rest[Lanes::kWidth] = {};
  std::memcpy(rest, from + at, restBytes);
  Lanes::store(rest, Lanes::rounded(Lanes::set(rest)));
  std::memcpy(to + at, rest, restBytes);
}

}  // namespace equipatch
