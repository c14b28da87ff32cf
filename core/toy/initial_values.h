#pragma once

#include "core/base/random.h"
#include "core/model/torch_types.h"

namespace equipatch::toy {

/// A trainable matrix [rows, columns], uniform within ±1/√columns, as libtorch's own
/// linear layers begin.
Tensor initialMatrix(Random& random, std::int64_t rows, std::int64_t columns,
                     at::ScalarType dtype);

/// A trainable vector of equal numbers.
Tensor initialVector(std::int64_t size, double value, at::ScalarType dtype);

/// Standard normal draws of any shape, not trainable.
Tensor normalDraws(Random& random, at::IntArrayRef shape, at::ScalarType dtype);

}  // namespace equipatch::toy
