#include "trainer/network/gate_loops.h"

#include <algorithm>
#include <cmath>

#include "trainer/network/bfloat.h"

namespace equipatch {
namespace {

constexpr float kScale = 0.7978845608028654f;  // √(2/π)
constexpr float kCubic = 0.044715f;

constexpr float kSaturated = 10;  // tanh of it is 1 in float32

/// tanh(√(2/π) (x + 0.044715 x³)), by way of exp, which compilers turn into vector code.
/// Bounded, because their fast division takes infinities for NaN.
inline float innerTanh(float x) {
  const float z = kScale * (x + kCubic * x * x * x);
  return 1 - 2 / (std::exp(2 * std::clamp(z, -kSaturated, kSaturated)) + 1);
}

}  // namespace

template <typename Element>
void applyGate(std::int64_t rows, std::int64_t width, const Element* in, Element* out) {
  for (std::int64_t row = 0; row < rows; ++row, in += 2 * width, out += width)
    for (std::int64_t i = 0; i < width; ++i) {
      const float gate = in[i];
      const float up = in[width + i];
      out[i] = 0.5f * gate * (1 + innerTanh(gate)) * up;
    }
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
    // Two loops, because GCC makes vector code only of those that store in one place.
    for (std::int64_t i = 0; i < width; ++i) {
      const float gate = gates[i];
      const float t = innerTanh(gate);
      const float slope = kScale * (1 + 3 * kCubic * gate * gate) * (1 - t * t);
      dGates[i] = dRow[i] * ups[i] * 0.5f * (1 + t + gate * slope);
    }
    for (std::int64_t i = 0; i < width; ++i)
      dUps[i] = dRow[i] * 0.5f * gates[i] * (1 + innerTanh(gates[i]));
  }
}

template void applyGate(std::int64_t, std::int64_t, const float*, float*);
template void applyGate(std::int64_t, std::int64_t, const Bfloat*, Bfloat*);
template void applyGateBackward(std::int64_t, std::int64_t, const float*, const float*,
                                float*);
template void applyGateBackward(std::int64_t, std::int64_t, const Bfloat*, const Bfloat*,
                                Bfloat*);

}  // namespace equipatch
