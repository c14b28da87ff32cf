#pragma once

#include <vector>

#include "core/toy/kernel.h"

namespace equipatch::toy {

/// In-context categorical regression: which token follows? p(c|f) = softmax_c ⟨W_c, f⟩.
/// The first N of P points are the context, whose next tokens are known.
struct CategoricalTask {
  Tensor embeddings;            ///< W [vocabulary, width]
  Tensor next;                  ///< y_i of the context [N], of int64
  std::vector<Tensor> kernels;  ///< k_h(x_i, x_j) of each head, [P, P]
  double rate = 1.0;            ///< α
  std::int64_t layers = 8;

  std::int64_t context() const { return next.size(0); }
};

/// f of every point [P, width] before the first layer (it is 0) and after each.
using Residuals = std::vector<Tensor>;

/// As attention-like layers on f, the residual stream:
///   f(x_j) += α/N Σ_h Σ_i [W_{y_i} − E_{c∼p(·|f(x_i))} W_c] k_h(x_i, x_j).
Residuals byLayers(const CategoricalTask& task);

/// As steps on A_h, f(x) = Σ_h A_h ψ_h(x), from A = 0. Where all kernels are Mercer's
/// this is gradient descent on the mean cross-entropy with rate α, the gradient by
/// autograd; for others A_h += α/N Σ_i [W_{y_i} − E W_c] φ_h(x_i)ᵀ, which is no loss's
/// gradient.
Residuals byDescent(const CategoricalTask& task);

/// Mean −log p(y_i | f(x_i)) of the context, in nats.
Tensor crossEntropy(const CategoricalTask& task, const Tensor& f);
/// p(c | f): [..., vocabulary].
Tensor distribution(const CategoricalTask& task, const Tensor& f);

}  // namespace equipatch::toy
