#pragma once

#include <vector>

#include "core/model/torch_types.h"

namespace equipatch::toy {

/// A layer A that can read a query x with a context C or without [D, Definition 2.1].
class ContextualLayer {
 public:
  virtual ~ContextualLayer() = default;

  /// A(C, x). @param columns [B, N + 1, inputs], the query last
  /// @returns [B, width]
  virtual Tensor withContext(const Tensor& columns) const = 0;

  /// A(c_1 … c_i, x) for i = 0 … N: [B, N + 1, width].
  virtual Tensor withPrefixes(const Tensor& columns) const = 0;

  virtual std::vector<Tensor> parameters() const = 0;

  /// A(x): [B, width].
  Tensor alone(const Tensor& columns) const { return withContext(columns.slice(1, -1)); }
};

}  // namespace equipatch::toy
