#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// RMSNorm without its scale: n = x / sqrt(mean(x²) + eps) over the last axis, wide and
/// unrounded. This n is the f of Theorem 1: after the norm, before the scale.
Tensor normalised(const Tensor& x, const NormSpec& spec,
                  SummationOrder order = SummationOrder::Standard);

/// n ⊙ m, rounded as the spec's family rounds.
Tensor scaled(const Tensor& n, const Tensor& m, const NormSpec& spec,
              const Arithmetic& arithmetic);

/// The whole norm: scaled(normalised(x), m).
Tensor rmsNorm(const Tensor& x, const Tensor& m, const NormSpec& spec,
               const Arithmetic& arithmetic);

}  // namespace equipatch
