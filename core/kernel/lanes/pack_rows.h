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

/// Calls body<rows>() if 1 ≤ rows ≤ kRowsPerBatch. @returns whether it was called
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

/// Copies a block of x into the order in which `loadWeights` gives the weights.
template <Lanes L>
[[gnu::always_inline]] inline void arrangeBlock(const typename L::Scalar* from,
                                                typename L::Scalar* to) {
  if constexpr (requires { L::arrange(from, to); })
    L::arrange(from, to);
  else
    std::memcpy(to, from, kBlock<L> * sizeof *to);
}

/// Converts a block of x to L::Weight. @returns true if no element changed
template <Lanes L>
[[gnu::always_inline]] inline bool narrowBlock(const typename L::Scalar* from,
                                               typename L::Weight* to) {
  typename L::Scalar arranged[kBlock<L>], narrowed[kBlock<L>];
  arrangeBlock<L>(from, arranged);
  typename L::Vector vectors[L::kVectors];
  for (int part = 0; part < L::kVectors; ++part)
    vectors[part] = L::load(arranged + part * L::kWidth);
  L::storeWeights(to, vectors);
  L::loadWeights(to, vectors);
  for (int part = 0; part < L::kVectors; ++part)
    L::store(narrowed + part * L::kWidth, vectors[part]);
  return std::memcmp(arranged, narrowed, sizeof arranged) == 0;
}

/// Packs x [rows, inputs] into consecutive batches of up to kRowsPerBatch rows with the
/// layout [block][row][slot]. The last block is padded with zeros.
/// @param copyBlock copies kBlock elements of x to `packed`; returns false to stop
/// @returns whether all blocks are packed
template <Lanes L, typename Packed, typename CopyBlock>
[[gnu::always_inline]] inline bool packBlocks(const typename L::Scalar* x,
                                              std::int64_t rows, std::int64_t inputs,
                                              Packed* packed,
                                              const CopyBlock& copyBlock) {
  using Scalar = typename L::Scalar;
  const std::int64_t full = inputs / kBlock<L>, rest = inputs % kBlock<L>;
  for (std::int64_t first = 0; first < rows; first += kRowsPerBatch) {
    const std::int64_t count =
        rows - first < kRowsPerBatch ? rows - first : kRowsPerBatch;
    for (std::int64_t row = 0; row < count; ++row) {
      const Scalar* from = x + (first + row) * inputs;
      Packed* to = packed + row * kBlock<L>;
      for (std::int64_t block = 0; block < full; ++block) {
        if (!copyBlock(from, to)) return false;
        from += kBlock<L>;
        to += count * kBlock<L>;
      }
      if (rest == 0) continue;
      Scalar padded[kBlock<L>] = {};
      std::memcpy(padded, from, static_cast<std::size_t>(rest) * sizeof(Scalar));
      if (!copyBlock(padded, to)) return false;
    }
    packed += count * blockCount<L>(inputs) * kBlock<L>;
  }
  return true;
}

template <Lanes L>
void packRows(const typename L::Scalar* x, std::int64_t rows, std::int64_t inputs,
              typename L::Scalar* packed) {
  using Scalar = typename L::Scalar;
  packBlocks<L>(x, rows, inputs, packed, [](const Scalar* from, Scalar* to) {
    return arrangeBlock<L>(from, to), true;
  });
}

/// As `packRows`, for NarrowInputs<L>.
/// @param packed elements of L::Weight
/// @returns false if L::Weight cannot represent an element of x
template <Lanes L>
bool packNarrowRows(const typename L::Scalar* x, std::int64_t rows, std::int64_t inputs,
                    void* packed) {
  using Scalar = typename L::Scalar;
  using Weight = typename L::Weight;
  return packBlocks<L>(
      x, rows, inputs, static_cast<Weight*>(packed),
      [](const Scalar* from, Weight* to) { return narrowBlock<L>(from, to); });
}

/// `to` may be `from`.
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
