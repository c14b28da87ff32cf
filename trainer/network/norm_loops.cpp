#include "trainer/network/norm_loops.h"

#include <cmath>

#include "trainer/network/bfloat.h"

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

/// dx = r (g − n · mean(g n)) with n = x r and g = dy (1 + scale), element by element.
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

}  // namespace equipatch
