// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/lanes.h"
#include "core/kernel/mxfp4.h"

namespace equipatch {

/// Vectors of floats that look the values of MXFP4's codes up, times a scale. `loadCodes`
/// reads kWidth bytes; the first vector gets the values of the low nibbles, the second
/// those of the high ones.
template <typename L>
concept LooksUpCodes = requires(const std::uint8_t* bytes, typename L::Vector scale,
                                typename L::Vector (&values)[2]) {
  L::loadCodes(bytes, scale, values);
};

/// Lanes that load a block as a vector of its even and a vector of its odd elements, the
/// order in which MXFP4's bytes hold them.
template <typename L>
inline constexpr bool kLoadsEvenAndOdd = L::kVectors == 2 && L::inputOf(1) == 2;

/// Writes the 2 · kWidth values of kWidth bytes, times their scale. Float64 holds values
/// that overflow float32, so they are scaled there.
template <LooksUpCodes Codes, Lanes L>
[[gnu::always_inline]] inline void expandBytes(const std::uint8_t* bytes, float scale,
                                               typename L::Weight* to) {
  using Scalar = typename L::Scalar;
  constexpr int kBytes = Codes::kWidth;
  constexpr bool kInFloat = std::same_as<Scalar, float>;
  typename Codes::Vector pairs[2];
  Codes::loadCodes(bytes, Codes::broadcast(kInFloat ? scale : 1.0F), pairs);
  if constexpr (kLoadsEvenAndOdd<L>) {
    L::storeWeights(to, pairs);
  } else {
    float low[kBytes], high[kBytes];
    Codes::store(low, pairs[0]);
    Codes::store(high, pairs[1]);
    const Scalar factor = kInFloat ? 1 : static_cast<Scalar>(scale);
    Scalar values[2 * kBytes];
    for (int byte = 0; byte < kBytes; ++byte) {
      values[2 * byte] = static_cast<Scalar>(low[byte]) * factor;
      values[2 * byte + 1] = static_cast<Scalar>(high[byte]) * factor;
    }
    for (int at = 0; at < 2 * kBytes; at += static_cast<int>(kBlock<L>)) {
      typename L::Vector block[L::kVectors];
      for (int part = 0; part < L::kVectors; ++part)
        block[part] = L::load(values + at + part * L::kWidth);
      L::storeWeights(to + at, block);
    }
  }
}

/// Expands a row to the weights of L, rounding where they cannot hold a value.
template <LooksUpCodes Codes, Lanes L>
void expandRow(const Mxfp4Row& row, void* out) {
  static_assert(kMxfp4BlockBytes % Codes::kWidth == 0 &&
                2 * Codes::kWidth % kBlock<L> == 0);
  auto* to = static_cast<typename L::Weight*>(out);
  for (std::int64_t block = 0; block < row.inputs / kMxfp4BlockValues; ++block) {
    const float scale = kMxfp4Scales[row.scales[block]];
    const std::uint8_t* bytes = row.blocks + block * kMxfp4BlockBytes;
    for (std::int64_t byte = 0; byte < kMxfp4BlockBytes; byte += Codes::kWidth) {
      expandBytes<Codes, L>(bytes + byte, scale, to);
      to += 2 * Codes::kWidth;
    }
  }
}

}  // namespace equipatch
