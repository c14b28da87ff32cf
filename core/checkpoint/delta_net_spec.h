// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace equipatch {

/// Gated DeltaNet, a recurrent token mixer, which keeps a state S instead of keys and
/// values. For the normed input h of token t, u = W_in h, z = W_z h, b = W_b h and
/// a = W_a h:
///   c = SiLU(Σ_j conv_j ⊙ u_{t−K+1+j}), split into q, k per key head, v per value head
///   x ← x / sqrt(‖x‖² + 1e-6) for x = q and x = k;  q ← q / sqrt(keyDim);  β = σ(b)
///   α = exp(−exp(A_log) · softplus(a + dt_bias))
///   S ← α S;  S ← S + k (β (v − Sᵀ k))ᵀ;  o = Sᵀ q
///   attn_out = W_o (norm(o) ⊙ SiLU(z))
/// Value head j reads key head j / (valueHeads / keyHeads). S and u are 0 before the
/// first token.
struct DeltaNetSpec {
  std::int64_t keyHeads = 0;
  std::int64_t valueHeads = 0;  ///< a multiple of keyHeads
  std::int64_t keyDim = 0;
  std::int64_t valueDim = 0;
  std::int64_t kernel = 4;  ///< K, taps of the convolution

  std::int64_t keys() const { return keyHeads * keyDim; }
  std::int64_t values() const { return valueHeads * valueDim; }
  std::int64_t channels() const { return 2 * keys() + values(); }
};

}  // namespace equipatch
