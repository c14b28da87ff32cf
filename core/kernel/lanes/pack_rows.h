#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set,
// so that the templates are compiled for it. Their Lanes argument is a type local to that
// file: no instance is shared between files.
//
// Lanes: Scalar, Weight, Vector; kVectors, kWidth (a block is kVectors × kWidth weights);
// set(pointer), aligned or not; source(slot): which element of a block of x meets lane
// `slot` of the loaded weights; arrange(from, to), which puts a block of x in that order,
// where it is not the block's own.

#include <cstdint>
#include <cstring>

#include "core/kernel/kernel_table.h"

namespace equipatch {

template <typename Lanes>
inline constexpr std::int64_t kBlock = std::int64_t{Lanes::kVectors} * Lanes::kWidth;

template <typename Lanes>
std::int64_t blockCount(std::int64_t inputs) {
  return (inputs + kBlock<Lanes> - 1) / kBlock<Lanes>;
}

/// body<rows>() where one batch holds so many rows. @returns whether it does.
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

/// A block of x in the order in which its elements meet weights.
template <typename Lanes>
[[gnu::always_inline]] inline void arrangeBlock(const typename Lanes::Scalar* from,
                                                typename Lanes::Scalar* to) {
  if constexpr (requires { Lanes::arrange(from, to); })
    Lanes::arrange(from, to);
  else
    std::memcpy(to, from, kBlock<Lanes> * sizeof *to);
}

/// Batches of up to four rows, one after the other; within a batch [block][row][slot], so
/// that one pointer walks through all rows. The end is padded with zeros.
template <typename Lanes>
void packRows(const typename Lanes::Scalar* x, std::int64_t rows, std::int64_t inputs,
              typename Lanes::Scalar* packed) {
  using Scalar = typename Lanes::Scalar;
  const std::int64_t full = inputs / kBlock<Lanes>, rest = inputs % kBlock<Lanes>;
  for (std::int64_t first = 0; first < rows; first += kRowsPerBatch) {
    const std::int64_t count =
        rows - first < kRowsPerBatch ? rows - first : kRowsPerBatch;
    for (std::int64_t row = 0; row < count; ++row) {
      const Scalar* from = x + (first + row) * inputs;
      Scalar* to = packed + row * kBlock<Lanes>;
      for (std::int64_t block = 0; block < full; ++block) {
        arrangeBlock<Lanes>(from, to);
        from += kBlock<Lanes>;
        to += count * kBlock<Lanes>;
      }
      if (rest == 0) continue;
      Scalar padded[kBlock<Lanes>] = {};
      std::memcpy(padded, from, static_cast<std::size_t>(rest) * sizeof(Scalar));
      arrangeBlock<Lanes>(padded, to);
    }
    packed += count * blockCount<Lanes>(inputs) * kBlock<Lanes>;
  }
}

}  // namespace equipatch
