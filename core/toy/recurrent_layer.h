#pragma once

#include "core/base/random.h"
#include "core/toy/contextual_layer.h"

namespace equipatch::toy {

/// A recurrent network's state after the last token, s ← tanh(W_s s + W_x c + b), from 0.
class RecurrentLayer final : public ContextualLayer {
 public:
  /// @param inputs numbers of a token; @param width numbers of the state
  RecurrentLayer(std::int64_t inputs, std::int64_t width, Random& random,
                 at::ScalarType dtype);

  Tensor withContext(const Tensor& columns) const override;
  Tensor withPrefixes(const Tensor& columns) const override;
  std::vector<Tensor> parameters() const override { return {W_x, W_s, b_x, b_s}; }

  Tensor W_x;       ///< [width, inputs]
  Tensor W_s;       ///< [width, width]
  Tensor b_x, b_s;  ///< [width]; two, since libtorch's loop wants them so

 private:
  /// After each token: [B, N, width].
  Tensor states(const Tensor& tokens) const;
};

}  // namespace equipatch::toy
