// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace equipatch {

// Element is the type of the matrix products' operands: float or Bfloat. Sums are
// float32.

/// RMSNorm as in Gemma, y = x / rms(x) · (1 + scale), over rows of `width`.
struct NormRows {
  std::int64_t rows = 0;
  std::int64_t width = 0;
  float epsilon = 0;
  const float* scale = nullptr;  ///< as in the formula, [width]
};

/// y = norm(x).
template <typename Element>
void normalise(const NormRows& norm, const float* x, Element* y);

/// stream += norm(x), where `stream` is the residual stream.
template <typename Element>
void addNormalised(const NormRows& norm, const Element* x, float* stream);

/// Backward pass of `normalise`: adds to dX and dScale.
template <typename Element>
void normaliseBackward(const NormRows& norm, const float* x, const Element* dY, float* dX,
                       float* dScale);

/// Backward pass of `addNormalised`: overwrites dX, adds to dScale.
template <typename Element>
void addNormalisedBackward(const NormRows& norm, const Element* x, const float* dStream,
                           Element* dX, float* dScale);

/// GELU, tanh approximation.
template <typename Element>
void applyGelu(std::int64_t count, const Element* in, Element* out);

/// Backward pass of `applyGelu`: overwrites dIn.
template <typename Element>
void applyGeluBackward(std::int64_t count, const Element* in, const Element* dOut,
                       Element* dIn);

/// GeGLU: out[row, i] = gelu(in[row, i]) · in[row, width + i] with `applyGelu`'s gelu.
/// in [rows, 2 width], out [rows, width].
template <typename Element>
void applyGate(std::int64_t rows, std::int64_t width, const Element* in, Element* out);

/// Backward pass of `applyGate`: overwrites dIn.
template <typename Element>
void applyGateBackward(std::int64_t rows, std::int64_t width, const Element* in,
                       const Element* dOut, Element* dIn);

/// losses[row] = −log softmax(logits[row])[successors[row]], logits [rows, vocabulary].
/// If `gradientScale` is not 0, overwrites the logits with gradientScale · ∂loss/∂logits.
template <typename Element>
void crossEntropy(std::int64_t vocabulary, std::span<const std::int32_t> successors,
                  float gradientScale, Element* logits, float* losses);

/// bfloat16: the upper half of a float32, rounded to nearest even. The conversion does
/// not test for NaN, so that the compiler can vectorise it. The NaN of an invalid
/// operation (0x7fc00000 or 0xffc00000) stays NaN; another NaN may become an infinity or
/// a zero.
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
