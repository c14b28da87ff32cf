// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace equipatch {

/// bfloat16: the upper half of a float32, rounded to nearest even. Unlike library types
/// it does not test for NaN, so that the compiler vectorises loops over it; a NaN whose
/// payload is all ones does not stay NaN.
class Bfloat {
 public:
  Bfloat() = default;
  Bfloat(float value) {  // NOLINT: implicit, like float
    const auto bits = std::bit_cast<std::uint32_t>(value);
    m_bits = static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }
  operator float() const {  // NOLINT: implicit, like float
    return std::bit_cast<float>(static_cast<std::uint32_t>(m_bits) << 16);
  }

 private:
  std::uint16_t m_bits = 0;
};
static_assert(sizeof(Bfloat) == 2);

}  // namespace equipatch
