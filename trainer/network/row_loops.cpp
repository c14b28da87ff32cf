// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/network/row_loops.h"

#include <algorithm>
#include <cmath>

namespace equipatch {
namespace {

template <typename X>
float inverseRms(const NormRows& norm, const X* x) {
  float squares = 0;
  for (std::int64_t i = 0; i < norm.width; ++i) {
    const float value = x[i];
    squares += value * value;
  }
  return 1 / std::sqrt(squares / static_cast<float>(norm.width) + norm.epsilon);
}

/// dx = r (g − n · mean(g n)) with r = 1 / rms(x), n = x r and g = dy (1 + scale). All
/// products are elementwise.
template <typename X, typename Y, typename Store>
void backward(const NormRows& norm, const X* xRow, const Y* dyRow, float* dScale,
              const Store& store) {
  const float inverse = inverseRms(norm, xRow);
  float projection = 0;
  for (std::int64_t i = 0; i < norm.width; ++i) {
    const float n = xRow[i] * inverse;
    const float dy = dyRow[i];
    projection += dy * (1 + norm.scale[i]) * n;
    dScale[i] += dy * n;
  }
  projection /= static_cast<float>(norm.width);
  for (std::int64_t i = 0; i < norm.width; ++i) {
    const float g = dyRow[i] * (1 + norm.scale[i]);
    store(i, inverse * (g - xRow[i] * inverse * projection));
  }
}

constexpr float kScale = 0.7978845608028654f;  // √(2/π)
constexpr float kCubic = 0.044715f;

constexpr float kSaturated = 10;  // tanh(kSaturated) is 1 in float32

/// tanh(√(2/π) (x + 0.044715 x³)), with exp because the compiler vectorises exp. z is
/// clamped because with -ffast-math an infinite exp would make the division NaN.
inline float innerTanh(float x) {
  const float z = kScale * (x + kCubic * x * x * x);
  return 1 - 2 / (std::exp(2 * std::clamp(z, -kSaturated, kSaturated)) + 1);
}

inline float gelu(float x) {
  return 0.5f * x * (1 + innerTanh(x));
}

inline float geluDerivative(float x) {
  const float t = innerTanh(x);
  const float inner = kScale * (1 + 3 * kCubic * x * x) * (1 - t * t);
  return 0.5f * (1 + t + x * inner);
}

}  // namespace

template <typename Element>
void normalise(const NormRows& norm, const float* x, Element* y) {
  for (std::int64_t row = 0; row < norm.rows; ++row, x += norm.width, y += norm.width) {
    const float inverse = inverseRms(norm, x);
    for (std::int64_t i = 0; i < norm.width; ++i)
      y[i] = x[i] * inverse * (1 + norm.scale[i]);
  }
}

template <typename Element>
void addNormalised(const NormRows& norm, const Element* x, float* stream) {
  for (std::int64_t row = 0; row < norm.rows;
       ++row, x += norm.width, stream += norm.width) {
    const float inverse = inverseRms(norm, x);
    for (std::int64_t i = 0; i < norm.width; ++i)
      stream[i] += x[i] * inverse * (1 + norm.scale[i]);
  }
}

template <typename Element>
void normaliseBackward(const NormRows& norm, const float* x, const Element* dY, float* dX,
                       float* dScale) {
  for (std::int64_t row = 0; row < norm.rows; ++row) {
    float* dRow = dX + row * norm.width;
    backward(norm, x + row * norm.width, dY + row * norm.width, dScale,
             [dRow](std::int64_t i, float value) { dRow[i] += value; });
  }
}

template <typename Element>
void addNormalisedBackward(const NormRows& norm, const Element* x, const float* dStream,
                           Element* dX, float* dScale) {
  for (std::int64_t row = 0; row < norm.rows; ++row) {
    Element* dRow = dX + row * norm.width;
    backward(norm, x + row * norm.width, dStream + row * norm.width, dScale,
             [dRow](std::int64_t i, float value) { dRow[i] = value; });
  }
}

template void normalise(const NormRows&, const float*, float*);
template void normalise(const NormRows&, const float*, Bfloat*);
template void addNormalised(const NormRows&, const float*, float*);
template void addNormalised(const NormRows&, const Bfloat*, float*);
template void normaliseBackward(const NormRows&, const float*, const float*, float*,
                                float*);
template void normaliseBackward(const NormRows&, const float*, const Bfloat*, float*,
                                float*);
template void addNormalisedBackward(const NormRows&, const float*, const float*, float*,
                                    float*);
template void addNormalisedBackward(const NormRows&, const Bfloat*, const float*, Bfloat*,
                                    float*);

template <typename Element>
void applyGelu(std::int64_t count, const Element* in, Element* out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = gelu(in[i]);
}

template <typename Element>
void applyGeluBackward(std::int64_t count, const Element* in, const Element* dOut,
                       Element* __restrict dIn) {
  for (std::int64_t i = 0; i < count; ++i) dIn[i] = dOut[i] * geluDerivative(in[i]);
}

template void applyGelu(std::int64_t, const float*, float*);
template void applyGelu(std::int64_t, const Bfloat*, Bfloat*);
template void applyGeluBackward(std::int64_t, const float*, const float*, float*);
template void applyGeluBackward(std::int64_t, const Bfloat*, const Bfloat*, Bfloat*);

template <typename Element>
void applyGate(std::int64_t rows, std::int64_t width, const Element* in, Element* out) {
  for (std::int64_t row = 0; row < rows; ++row, in += 2 * width, out += width)
    for (std::int64_t i = 0; i < width; ++i) out[i] = gelu(in[i]) * in[width + i];
}

template <typename Element>
void applyGateBackward(std::int64_t rows, std::int64_t width, const Element* in,
                       const Element* dOut, Element* dIn) {
  for (std::int64_t row = 0; row < rows; ++row) {
    const Element* __restrict gates = in + 2 * row * width;
    const Element* __restrict ups = gates + width;
    Element* __restrict dGates = dIn + 2 * row * width;
    Element* __restrict dUps = dGates + width;
    const Element* __restrict dRow = dOut + row * width;
    for (std::int64_t i = 0; i < width; ++i)
      dGates[i] = dRow[i] * ups[i] * geluDerivative(gates[i]);
    for (std::int64_t i = 0; i < width; ++i) dUps[i] = dRow[i] * gelu(gates[i]);
  }
}

template void applyGate(std::int64_t, std::int64_t, const float*, float*);
template void applyGate(std::int64_t, std::int64_t, const Bfloat*, Bfloat*);
template void applyGateBackward(std::int64_t, std::int64_t, const float*, const float*,
                                float*);
template void applyGateBackward(std::int64_t, std::int64_t, const Bfloat*, const Bfloat*,
                                Bfloat*);

template <typename Element>
void crossEntropy(std::int64_t vocabulary, std::span<const std::int32_t> successors,
                  float gradientScale, Element* logits, float* losses) {
  for (const std::int32_t successor : successors) {
    float largest = logits[0];
    for (std::int64_t i = 0; i < vocabulary; ++i)
      largest = std::max<float>(largest, logits[i]);
    float sum = 0;
    for (std::int64_t i = 0; i < vocabulary; ++i) sum += std::exp(logits[i] - largest);
    const float logSum = largest + std::log(sum);
    *losses++ = logSum - logits[successor];
    if (gradientScale != 0) {
      const float probability = std::exp(logits[successor] - logSum);
      for (std::int64_t i = 0; i < vocabulary; ++i)
        logits[i] = gradientScale * std::exp(logits[i] - logSum);
      logits[successor] = gradientScale * (probability - 1);
    }
    logits += vocabulary;
  }
}

template void crossEntropy(std::int64_t, std::span<const std::int32_t>, float, float*,
                           float*);
template void crossEntropy(std::int64_t, std::span<const std::int32_t>, float, Bfloat*,
                           float*);

}  // namespace equipatch
