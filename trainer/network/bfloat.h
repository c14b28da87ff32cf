#pragma once

#include <bit>
#include <cstdint>

namespace equipatch {

/// The upper half of a float32, rounded to nearest even. Without the tests for NaN that
/// library types make, so that loops over it become vector code; a NaN stays one unless
/// its payload is all ones.
class Bfloat {
 public:
  Bfloat() = default;
  Bfloat(float value) {  // NOLINT: converts as float does
    const auto bits = std::bit_cast<std::uint32_t>(value);
    m_bits = static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }
  operator float() const {  // NOLINT: converts as float does
    return std::bit_cast<float>(static_cast<std::uint32_t>(m_bits) << 16);
  }

 private:
  std::uint16_t m_bits = 0;
};
static_assert(sizeof(Bfloat) == 2);

}  // namespace equipatch
