#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// A norm's parameters, wide. The scale m is the one that multiplies; undefined where the
/// block has no such norm.
struct NormWeights {
  Tensor m;
  Tensor bias;  ///< undefined where the norm has none

  bool exists() const { return m.defined(); }
};

/// The norm without its scale and bias, over the last axis, wide and unrounded:
/// n = x / sqrt(mean(x²) + eps), of x − mean(x) for a LayerNorm. This n is the f of
/// Theorem 1: after the norm, before the scale.
Tensor normalised(const Tensor& x, const NormSpec& spec,
                  SummationOrder order = SummationOrder::Standard);

/// n ⊙ m [+ bias], rounded as the spec's family rounds.
Tensor scaled(const Tensor& n, const NormWeights& weights, const NormSpec& spec,
              const Arithmetic& arithmetic);

/// The whole norm: scaled(normalised(x)).
Tensor norm(const Tensor& x, const NormWeights& weights, const NormSpec& spec,
            const Arithmetic& arithmetic);

}  // namespace equipatch
