#pragma once

#include <string>

#include "core/model/torch_types.h"

namespace equipatch::toy {

enum class Kernel {
  Linear,   ///< ⟨a, b⟩
  Rbf,      ///< exp(−‖a − b‖² / 2): a Mercer kernel
  Softmax,  ///< exp⟨a, b⟩ / Σ_a exp⟨a, b⟩, over all keys: not symmetric
};

/// k(key_i, query_j): keys [P, n], queries [P, n] → [P, P].
Tensor kernelMatrix(Kernel kernel, const Tensor& keys, const Tensor& queries);

/// ‖K − Kᵀ‖ / ‖K‖: 0 where the order of key and query does not matter.
double asymmetry(const Tensor& K);

/// Features whose inner products are a kernel on finitely many points,
/// K_ij = ⟨keys_i, queries_j⟩. Of a Mercer kernel both are the same (its theorem, on
/// these points); no other has such features.
struct KernelFeatures {
  Tensor keys;     ///< φ [P, r]
  Tensor queries;  ///< ψ [P, r]
  bool mercer = false;
};
KernelFeatures featuresOf(const Tensor& K);

}  // namespace equipatch::toy
