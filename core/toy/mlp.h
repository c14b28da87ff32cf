#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/model/torch_types.h"

namespace equipatch::toy {

struct MlpShape {
  std::int64_t inputs = 32;   ///< d_model
  std::int64_t hidden = 128;  ///< d_mlp
  std::int64_t outputs = 3;
};

/// W_down ReLU(W_in z + b_in) + b_down.
class Mlp {
 public:
  Mlp(const MlpShape& shape, Random& random, at::ScalarType dtype);

  /// [..., inputs] → [..., outputs]
  Tensor forward(const Tensor& z) const;
  /// With an input projection of its own for each row.
  /// @param ownW_in [B, hidden, inputs]; @param z [B, inputs]
  Tensor forwardWith(const Tensor& ownW_in, const Tensor& z) const;
  /// What follows the input projection's product [..., hidden], to which b_in is still
  /// added.
  Tensor afterFirst(const Tensor& product) const;

  std::vector<Tensor> parameters() const { return {W_in, b_in, W_down, b_down}; }

  Tensor W_in;    ///< [hidden, inputs]
  Tensor b_in;    ///< [hidden]
  Tensor W_down;  ///< [outputs, hidden]
  Tensor b_down;  ///< [outputs]
};

}  // namespace equipatch::toy
