// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/weight_products.h"

namespace equipatch {

/// The gated delta rule of a layer for consecutive tokens. Each head has a state
/// S [keyDim, valueDim]. Each token, with d = β (v − α Sᵀ k), updates the state,
/// S ← α S + k dᵀ, and then reads it, o = Sᵀ q.
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
  /// The state before the tokens, [heads, keyDim, valueDim]. Null means zero, which
  /// is allowed only for one token without `after`.
  const T* before = nullptr;
  /// Receives the state after the tokens; may be `before`. Null: the state is not kept,
  /// which is allowed only for one token.
  T* after = nullptr;
  T* o = nullptr;  ///< [tokens, heads, valueDim]
  SummationOrder order = SummationOrder::Standard;
};

/// The loops for one head. `before` and `after` point to the state of this head. The
/// other pointers point to this head's row of the first token; the row of the next token
/// is `heads` rows further.
struct DeltaKernels {
  void (*f32)(const DeltaRule<float>& head) = nullptr;
  void (*f64)(const DeltaRule<double>& head) = nullptr;
};

/// Computes o and the state. A token's result is the same whether it comes alone or with
/// others, and for any number of threads.
void applyDeltaRule(const DeltaRule<float>& rule);
void applyDeltaRule(const DeltaRule<double>& rule);

}  // namespace equipatch
