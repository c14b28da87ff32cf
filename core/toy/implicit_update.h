// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/torch_types.h"

namespace equipatch::toy {

// The context as an update of the input projection W [m, n], whose inputs are
// z_C [..., n] = A(C, x) and z [..., n] = A(x). Leading dimensions broadcast. For z = 0,
// no update exists.

/// ΔW = W (z_C − z) zᵀ / ‖z‖², so that (W + ΔW) z = W z_C [D, Theorem 2.2]: [..., m, n].
Tensor implicitUpdate(const Tensor& W, const Tensor& z_C, const Tensor& z);

/// ‖(ΔW)_{i+1} − (ΔW)_i‖_F = ‖W (z_{i+1} − z_i)‖ / ‖z_0‖ as the context grows.
/// @param prefixes [..., N + 1, n], z_i = A(c_1 … c_i, x), z_0 = A(x)
/// @returns [..., N]
Tensor updateSteps(const Tensor& W, const Tensor& prefixes);

/// W_i = W + (ΔW)_i by gradient descent [D, Proposition 3.1]: from W_0 = W, one step of
/// rate 1/‖z‖² on each L_i(W) = trace(Δ_iᵀ W), Δ_i = W_0 (z_i − z_{i+1}) zᵀ, z = z_0.
/// @param prefixes [N + 1, n] of one task
/// @returns [N + 1, m, n], W_0 … W_N
Tensor gradientDescent(const Tensor& W, const Tensor& prefixes);

/// Absorbs the tokens from the first to the last [D, Appendix E]: W_i =
/// W_{i−1} (1 + h_i A_i), where W_0 = W, z_i = A(c_{i+1} … c_N, x), h_i = 1/‖z_i‖² and
/// A_i = (z_{i−1} − z_i) z_iᵀ. Hence W_i z_i = W_0 z_0.
/// @param suffixes [..., N + 1, n], z_0 … z_N
/// @returns [..., N + 1, m, n], W_0 … W_N
Tensor factorisedUpdates(const Tensor& W, const Tensor& suffixes);

/// Frobenius inner product over the last two dimensions, divided by the norms of a and b:
/// [...]. NaN where a norm is 0.
Tensor alignment(const Tensor& a, const Tensor& b);

}  // namespace equipatch::toy
