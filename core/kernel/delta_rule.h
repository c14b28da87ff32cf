// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/weight_products.h"

namespace equipatch {

/// The gated delta rule of a layer for consecutive tokens. Each head has a state
/// S [keyDim, valueDim]. For each token in turn:
/// d = β (v − α Sᵀ k), S ← α S + k dᵀ, o = Sᵀ q.
template <typename T>
struct DeltaRule {
  std::int64_t tokens = 0;
  std::int64_t heads = 0;
  std::int64_t keyDim = 0;
  std::int64_t valueDim = 0;
  const T* q = nullptr;      ///< [tokens, heads, keyDim]
  const T* k = nullptr;      ///< [tokens, heads, keyDim]
  const T* v = nullptr;      ///< [tokens, heads, valueDim]
  const T* alpha = nullptr;  ///< [tokens, heads]
  const T* beta = nullptr;   ///< [tokens, heads]
  /// The state before the tokens, [heads, keyDim, valueDim]. Null stands for
  /// zeros and is allowed only for one token without `after`.
  const T* before = nullptr;
  /// Receives the state after the tokens; may be `before`. Null discards the state
  /// and is allowed only for one token.
  T* after = nullptr;
  T* o = nullptr;  ///< [tokens, heads, valueDim]
  SummationOrder order = SummationOrder::Standard;
};

/// The loops for one head. `before` and `after` point to this head's state, the other
/// pointers to this head's row of the first token. Rows of consecutive tokens are `heads`
/// rows apart.
struct DeltaKernels {
  void (*f32)(const DeltaRule<float>& head) = nullptr;
  void (*f64)(const DeltaRule<double>& head) = nullptr;
};

/// The bits of a token's result do not depend on how many tokens a call contains, or on
/// the number of threads.
void applyDeltaRule(const DeltaRule<float>& rule);
void applyDeltaRule(const DeltaRule<double>& rule);

}  // namespace equipatch
