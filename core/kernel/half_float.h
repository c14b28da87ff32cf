// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace equipatch {

// These functions are always inlined, so that a source compiled for any instruction set
// may include them: the linker keeps one copy of an inline function that is not inlined,
// and that copy might have instructions that the processor lacks.

[[gnu::always_inline]] inline float bfloat16Value(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

/// Rounds to nearest, ties to even; NaN stays NaN.
[[gnu::always_inline]] inline std::uint16_t bfloat16Bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = bits + 0x7fffu + (bits >> 16 & 1u);
  const bool notNaN = (bits & 0x7fffffffu) <= 0x7f800000u;
  return static_cast<std::uint16_t>((notNaN ? rounded : bits | 0x00400000u) >> 16);
}

[[gnu::always_inline]] inline float float16Value(std::uint16_t bits) {
  // Shifted into place, exponent and mantissa are those of a float32 that is smaller by a
  // factor of 2^112; multiplying by it is exact, for subnormal values too.
  const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(
      std::bit_cast<float>((bits & 0x7fffu) << 13) * 0x1p112f);
  const std::uint32_t special = (bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
  return std::bit_cast<float>(magnitude | special | ((bits & 0x8000u) << 16));
}

/// Rounds to nearest, ties to even; infinite from 65520 on; NaN stays NaN.
[[gnu::always_inline]] inline std::uint16_t float16Bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  // At 0.5 the spacing of float32 is 2^-24, the spacing of subnormal float16.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  const std::uint32_t normal =
      (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  const std::uint32_t quietNaN = 0x7e00u | (magnitude >> 13 & 0x3ffu);
  const std::uint32_t result = magnitude > 0x7f800000u    ? quietNaN
                               : magnitude >= 0x477ff000u ? 0x7c00u
                               : magnitude < 0x38800000u  ? subnormal
                                                          : normal;
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | result);
}

}  // namespace equipatch
