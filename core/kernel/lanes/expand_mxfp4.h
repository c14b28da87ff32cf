// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/lanes.h"
#include "core/kernel/mxfp4.h"

namespace equipatch {

/// Lanes of float that dequantise MXFP4. `loadCodes` multiplies the FP4 elements of
/// kWidth bytes by `scale`: `values[0]` receives the products of the low nibbles,
/// `values[1]` those of the high nibbles.
template <typename L>
concept DequantisesMxfp4 = requires(const std::uint8_t* bytes, typename L::Vector scale,
                                    typename L::Vector (&values)[2]) {
  L::loadCodes(bytes, scale, values);
};

/// True if L loads a block as a vector of its even elements and a vector of its odd
/// elements, as `loadCodes` does. Any other L keeps the order of the elements.
template <typename L>
inline constexpr bool kLoadsEvenAndOdd = L::kVectors == 2 && L::inputOf(1) == 2;

/// Writes the 2 · F::kWidth values of F::kWidth bytes, times `scale`. For float64 weights
/// the product is computed in float64, because it may overflow float32.
template <DequantisesMxfp4 F, Lanes L>
[[gnu::always_inline]] inline void dequantiseBytes(const std::uint8_t* bytes, float scale,
                                                   typename L::Weight* to) {
  using Scalar = typename L::Scalar;
  constexpr int kBytes = F::kWidth;
  constexpr bool kInFloat = std::same_as<Scalar, float>;
  typename F::Vector pairs[2];
  F::loadCodes(bytes, F::broadcast(kInFloat ? scale : 1.0F), pairs);
  if constexpr (kLoadsEvenAndOdd<L>) {
    L::storeWeights(to, pairs);
  } else {
    float low[kBytes], high[kBytes];
    F::store(low, pairs[0]);
    F::store(high, pairs[1]);
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

/// @param out [row.inputs] of L::Weight. Values that overflow become infinite; float16
///        rounds to nearest.
template <DequantisesMxfp4 F, Lanes L>
void dequantiseRow(const Mxfp4Row& row, void* out) {
  static_assert(kMxfp4BlockBytes % F::kWidth == 0 && 2 * F::kWidth % kBlock<L> == 0);
  auto* to = static_cast<typename L::Weight*>(out);
  for (std::int64_t block = 0; block < row.inputs / kMxfp4BlockValues; ++block) {
    const float scale = kMxfp4Scales[row.scales[block]];
    const std::uint8_t* bytes = row.blocks + block * kMxfp4BlockBytes;
    for (std::int64_t byte = 0; byte < kMxfp4BlockBytes; byte += F::kWidth) {
      dequantiseBytes<F, L>(bytes + byte, scale, to);
      to += 2 * F::kWidth;
    }
  }
}

}  // namespace equipatch
