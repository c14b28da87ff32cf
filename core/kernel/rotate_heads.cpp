#include "core/kernel/row_operations.h"

#include <algorithm>

namespace equipatch {
namespace {

template <typename Real>
void rotateHead(const HeadShape& shape, const Real* x, const Real* cosine,
                const Real* sine, Real* y) {
  const std::int64_t step = shape.neighbours ? 2 : 1;
  const std::int64_t other = shape.neighbours ? 1 : shape.pairs;
  for (std::int64_t pair = 0; pair < shape.pairs; ++pair) {
    const Real first = x[pair * step], second = x[pair * step + other];
    y[pair * step] = first * cosine[pair] - second * sine[pair];
    y[pair * step + other] = second * cosine[pair] + first * sine[pair];
  }
  std::copy(x + 2 * shape.pairs, x + shape.headDim, y + 2 * shape.pairs);
}

template <typename Real>
void rotate(const HeadShape& shape, const Real* x, const Real* cosine, const Real* sine,
            Real* y) {
  for (std::int64_t row = 0; row < shape.rows; ++row)
    for (std::int64_t head = 0; head < shape.heads; ++head) {
      const std::int64_t at = (row * shape.heads + head) * shape.headDim;
      rotateHead(shape, x + at, cosine + row * shape.pairs, sine + row * shape.pairs,
                 y + at);
    }
}

}  // namespace

void rotateHeads(const HeadShape& shape, const float* x, const float* cosine,
                 const float* sine, float* y) {
  rotate(shape, x, cosine, sine, y);
}

void rotateHeads(const HeadShape& shape, const double* x, const double* cosine,
                 const double* sine, double* y) {
  rotate(shape, x, cosine, sine, y);
}

}  // namespace equipatch
