#pragma once

#include <cstdint>

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

}  // namespace equipatch
