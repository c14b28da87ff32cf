#pragma once

#include <cstdint>
#include <span>

namespace equipatch {

// RMSNorm as Gemma writes it, y = x / rms(x) · (1 + scale), over rows of `width`.
// Element is what matrix products take and give: float or Bfloat. Sums are float32.

struct NormRows {
  std::int64_t rows = 0;
  std::int64_t width = 0;
  float epsilon = 0;
  const float* scale = nullptr;  ///< [width], minus 1
};

/// y = norm(x): what enters a product.
template <typename Element>
void normalise(const NormRows& norm, const float* x, Element* y);

/// stream += norm(x): what leaves a product and joins the residual stream.
template <typename Element>
void addNormalised(const NormRows& norm, const Element* x, float* stream);

/// Backwards through `normalise`: dX += …, dScale += …
template <typename Element>
void normaliseBackward(const NormRows& norm, const float* x, const Element* dY, float* dX,
                       float* dScale);

/// Backwards through `addNormalised`, from the stream's gradient: dX = …, dScale += …
template <typename Element>
void addNormalisedBackward(const NormRows& norm, const Element* x, const float* dStream,
                           Element* dX, float* dScale);

/// GeGLU: out[row, i] = gelu(in[row, i]) · in[row, width + i], gelu by tanh.
/// in [rows, 2 width], out [rows, width].
template <typename Element>
void applyGate(std::int64_t rows, std::int64_t width, const Element* in, Element* out);

/// dIn [rows, 2 width] = …, from `in` and dOut [rows, width].
template <typename Element>
void applyGateBackward(std::int64_t rows, std::int64_t width, const Element* in,
                       const Element* dOut, Element* dIn);

/// Cross entropy of each row of logits [rows, vocabulary] against the id that follows:
/// losses[row] = −log softmax(logits)[successor]. When `gradientScale` is not 0 the
/// logits are overwritten with gradientScale · ∂loss/∂logits.
template <typename Element>
void crossEntropy(std::int64_t vocabulary, std::span<const std::int32_t> successors,
                  float gradientScale, Element* logits, float* losses);

}  // namespace equipatch
