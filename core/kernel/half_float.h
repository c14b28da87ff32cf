// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace equipatch {

// Sources compiled for different instruction sets include these functions. Each must be
// always inlined: otherwise the linker would keep one copy for all sources, possibly with
// instructions that the processor lacks.

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
  // The shift yields a float32 that is too small by a factor of 2^112. The multiplication
  // is exact, also for subnormal values.
  const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(
      std::bit_cast<float>((bits & 0x7fffu) << 13) * 0x1p112f);
  const std::uint32_t special = (bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
  return std::bit_cast<float>(magnitude | special | ((bits & 0x8000u) << 16));
}

/// Rounds to nearest, ties to even; magnitudes ≥ 65520 become infinite; NaN stays NaN.
[[gnu::always_inline]] inline std::uint16_t float16Bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  // Adding 0.5 rounds to a multiple of 2^-24, the spacing of float32 values in [0.5, 1)
  // and of subnormal float16 values.
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
