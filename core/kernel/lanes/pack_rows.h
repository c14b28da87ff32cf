// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/lanes.h"

namespace equipatch {

template <Lanes L>
std::int64_t blockCount(std::int64_t inputs) {
  return (inputs + kBlock<L> - 1) / kBlock<L>;
}

/// Calls body<rows>() if one batch holds that many rows. @returns whether it does.
template <typename Body>
[[gnu::always_inline]] inline bool asOneBatch(std::int64_t rows, const Body& body) {
  switch (rows) {
    case 1:
      return body.template operator()<1>(), true;
    case 2:
      return body.template operator()<2>(), true;
    case 3:
      return body.template operator()<3>(), true;
    case 4:
      return body.template operator()<4>(), true;
    default:
      return false;
  }
}

/// Copies a block of x in the order in which `loadWeights` delivers the weights.
template <Lanes L>
[[gnu::always_inline]] inline void arrangeBlock(const typename L::Scalar* from,
                                                typename L::Scalar* to) {
  if constexpr (requires { L::arrange(from, to); })
    L::arrange(from, to);
  else
    std::memcpy(to, from, kBlock<L> * sizeof *to);
}

/// Packs x [rows, inputs] into batches of up to kRowsPerBatch rows, one after the other;
/// within a batch [block][row][slot], so that one pointer passes through all rows. The
/// last block is padded with zeros.
template <Lanes L>
void packRows(const typename L::Scalar* x, std::int64_t rows, std::int64_t inputs,
              typename L::Scalar* packed) {
  using Scalar = typename L::Scalar;
  const std::int64_t full = inputs / kBlock<L>, rest = inputs % kBlock<L>;
  for (std::int64_t first = 0; first < rows; first += kRowsPerBatch) {
    const std::int64_t count =
        rows - first < kRowsPerBatch ? rows - first : kRowsPerBatch;
    for (std::int64_t row = 0; row < count; ++row) {
      const Scalar* from = x + (first + row) * inputs;
      Scalar* to = packed + row * kBlock<L>;
      for (std::int64_t block = 0; block < full; ++block) {
        arrangeBlock<L>(from, to);
        from += kBlock<L>;
        to += count * kBlock<L>;
      }
      if (rest == 0) continue;
      Scalar padded[kBlock<L>] = {};
      std::memcpy(padded, from, static_cast<std::size_t>(rest) * sizeof(Scalar));
      arrangeBlock<L>(padded, to);
    }
    packed += count * blockCount<L>(inputs) * kBlock<L>;
  }
}

/// Rounds each of `count` values to the nearest one that a weight can have; `to` may be
/// `from`.
template <Lanes L>
void roundRow(const typename L::Scalar* from, std::int64_t count,
              typename L::Scalar* to) {
  using Scalar = typename L::Scalar;
  std::int64_t at = 0;
  for (; at + L::kWidth <= count; at += L::kWidth)
    L::store(to + at, L::roundToWeight(L::load(from + at)));
  if (at == count) return;
  const std::size_t restBytes = static_cast<std::size_t>(count - at) * sizeof(Scalar);
  Scalar rest[L::kWidth] = {};
  std::memcpy(rest, from + at, restBytes);
  L::store(rest, L::roundToWeight(L::load(rest)));
  std::memcpy(to + at, rest, restBytes);
}

}  // namespace equipatch
