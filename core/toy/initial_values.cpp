#include "core/toy/initial_values.h"

#include <cmath>

namespace equipatch::toy {
namespace {

/// Drawn in double, so that a seed means the same numbers in every dtype.
template <typename Draw>
Tensor filled(at::IntArrayRef shape, at::ScalarType dtype, Draw draw) {
  Tensor values = at::empty(shape, at::kDouble);
  double* data = values.data_ptr<double>();
  for (std::int64_t i = 0; i < values.numel(); ++i) data[i] = draw();
  return values.to(dtype);
}

}  // namespace

Tensor initialMatrix(Random& random, std::int64_t rows, std::int64_t columns,
                     at::ScalarType dtype) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(columns));
  return filled({rows, columns}, dtype,
                [&] { return bound * (2.0 * random.uniform() - 1.0); })
      .requires_grad_(true);
}

Tensor initialVector(std::int64_t size, double value, at::ScalarType dtype) {
  return at::full({size}, value, dtype).requires_grad_(true);
}

Tensor normalDraws(Random& random, at::IntArrayRef shape, at::ScalarType dtype) {
  return filled(shape, dtype, [&] { return random.normal(); });
}

}  // namespace equipatch::toy
