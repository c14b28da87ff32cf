#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set,
// so that the templates are compiled for it. Their Lanes argument is a type local to that
// file: no instance is shared between files.
//
// Lanes: Scalar, Weight, Vector; kVectors, kWidth (a block is kVectors × kWidth weights);
// set(pointer), which is aligned; source(slot): which element of a block of x meets lane
// `slot` of the loaded weights.

#include <cstdint>

#include "core/kernel/vector_code.h"

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

/// Batches of up to four rows, one after the other; within a batch [block][row][slot], so
/// that one pointer walks through all rows. The end is padded with zeros.
template <typename Lanes>
void packRows(const typename Lanes::Scalar* x, std::int64_t rows, std::int64_t inputs,
              typename Lanes::Scalar* packed) {
  const std::int64_t full = inputs / kBlock<Lanes>;
  for (std::int64_t first = 0; first < rows; first += kRowsPerBatch) {
    const std::int64_t count =
        rows - first < kRowsPerBatch ? rows - first : kRowsPerBatch;
    for (std::int64_t row = 0; row < count; ++row) {
      const typename Lanes::Scalar* from = x + (first + row) * inputs;
      typename Lanes::Scalar* to = packed + row * kBlock<Lanes>;
      for (std::int64_t block = 0; block < full; ++block) {
        for (int slot = 0; slot < kBlock<Lanes>; ++slot)
          to[slot] = from[Lanes::source(slot)];
        from += kBlock<Lanes>;
        to += count * kBlock<Lanes>;
      }
      const std::int64_t rest = inputs - full * kBlock<Lanes>;
      for (int slot = 0; rest > 0 && slot < kBlock<Lanes>; ++slot)
        to[slot] = Lanes::source(slot) < rest ? from[Lanes::source(slot)] : 0;
    }
    packed += count * blockCount<Lanes>(inputs) * kBlock<Lanes>;
  }
}

}  // namespace equipatch
