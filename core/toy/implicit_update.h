// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/torch_types.h"

namespace equipatch::toy {

// The context as an update of the input projection W [m, n], for many contexts at once.
// z_C [..., n] = A(C, x) and z [..., n] = A(x) are the projection's inputs with and
// without the context; leading dimensions broadcast. z must not be 0: for z = 0, no
// update exists.

/// ΔW = W (z_C − z) zᵀ / ‖z‖², so that (W + ΔW) z = W z_C [D, Theorem 2.2]: [..., m, n].
Tensor implicitUpdate(const Tensor& W, const Tensor& z_C, const Tensor& z);

/// ‖(ΔW)_{i+1} − (ΔW)_i‖_F as the context grows: the difference has rank 1, so its norm
/// is ‖W (z_{i+1} − z_i)‖ / ‖z‖.
/// @param prefixes [..., N + 1, n], z_i = A(c_1 … c_i, x), z_0 = A(x)
/// @returns [..., N]
Tensor updateSteps(const Tensor& W, const Tensor& prefixes);

/// W + (ΔW)_i by explicit gradient descent [D, Proposition 3.1]: from W_0 = W, one step
/// of rate 1/‖z‖² on each L_i(W) = trace(Δ_iᵀ W), Δ_i = W_0 (z_i − z_{i+1}) zᵀ, z = z_0;
/// autograd computes the gradients.
/// @param prefixes [N + 1, n] of one task, as for updateSteps
/// @returns [N + 1, m, n], W_0 … W_N
Tensor gradientDescent(const Tensor& W, const Tensor& prefixes);

/// W_0 ∏ (1 + h_i A_i), tokens absorbed from the first to the last [D, Appendix E]:
/// z_i = A(c_{i+1} … c_N, x) reads the tokens after the first i, h_i = 1/‖z_i‖² and A_i =
/// (z_{i−1} − z_i) z_iᵀ. After i tokens, W_i z_i = W_0 z_0.
/// @param suffixes [..., N + 1, n]
/// @returns [..., N + 1, m, n], W_0 … W_N
Tensor factorisedUpdates(const Tensor& W, const Tensor& suffixes);

/// Frobenius inner product divided by both norms, over the last two dimensions: [...].
/// NaN where a norm is 0.
Tensor alignment(const Tensor& a, const Tensor& b);

}  // namespace equipatch::toy
