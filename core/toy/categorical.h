// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/model/torch_types.h"

namespace equipatch::toy {

enum class Kernel {
  Linear,   ///< ⟨a, b⟩
  Rbf,      ///< exp(−‖a − b‖² / 2)
  Softmax,  ///< exp⟨a, b⟩ / Σ_k exp⟨k, b⟩ over all keys k: not symmetric
};

/// k(key_i, query_j): keys [P, n], queries [P, n] → [P, P].
Tensor kernelMatrix(Kernel kernel, const Tensor& keys, const Tensor& queries);

/// ‖K − Kᵀ‖ / ‖K‖; NaN for K = 0.
double asymmetry(const Tensor& K);

/// Features of P points whose inner products are a kernel matrix:
/// K_ij = ⟨keys_i, queries_j⟩.
struct KernelFeatures {
  Tensor keys;     ///< φ [P, r]
  Tensor queries;  ///< ψ [P, r]
  /// True if K is symmetric without negative eigenvalues, up to rounding errors of
  /// float64. Then, and only then, keys and queries are equal.
  bool mercer = false;
};
/// @param K [P, P], float64, not 0
KernelFeatures featuresOf(const Tensor& K);

/// In-context categorical regression predicts the next token c of each point, with
/// probability p(c|f) = softmax_c ⟨W_c, f⟩. The first N of P points are the context;
/// their next tokens are known. All tensors except `next` are float64.
struct CategoricalTask {
  Tensor embeddings;            ///< W [vocabulary, width]
  Tensor next;                  ///< y_i of the context [N], of int64
  std::vector<Tensor> kernels;  ///< k_h(x_i, x_j) of each head, [P, P]; at least one
  double rate = 1.0;            ///< α
  std::int64_t layers = 8;

  std::int64_t context() const { return next.size(0); }
};

/// f of every point [P, width], before the first layer (all 0) and after each layer.
using Residuals = std::vector<Tensor>;

/// Called on the computing thread after each unit of work (at most one head), also in a
/// backward pass through the residuals. The function may wait, or throw to end the work.
using BetweenUnits = std::function<void()>;

/// Each attention-like layer updates f, the residual stream:
///   f(x_j) += α/N Σ_h Σ_i [W_{y_i} − E_{c∼p(·|f(x_i))} W_c] k_h(x_i, x_j).
Residuals byLayers(const CategoricalTask& task, const BetweenUnits& between = {});

/// f(x) = Σ_h A_h ψ_h(x). The matrices A_h start at 0, and each layer is a step on them.
/// If all kernels are Mercer kernels, the steps are gradient descent on the mean
/// cross-entropy with rate α, by autograd. Otherwise, a step is
/// A_h += α/N Σ_i [W_{y_i} − E W_c] φ_h(x_i)ᵀ, which is not the gradient of any loss.
Residuals byDescent(const CategoricalTask& task, const BetweenUnits& between = {});

/// Mean −log p(y_i | f(x_i)) over the context, in nats. @param f [P, width]
Tensor crossEntropy(const CategoricalTask& task, const Tensor& f);
/// p(c | f): [..., vocabulary]. @param f [..., width]
Tensor distribution(const CategoricalTask& task, const Tensor& f);

}  // namespace equipatch::toy
