// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// A norm's parameters, wide.
struct NormWeights {
  Tensor m;     ///< the scale that multiplies; undefined if the block has no such norm
  Tensor bias;  ///< undefined if the norm has none

  bool exists() const { return m.defined(); }
};

/// The norm without its scale and bias, over the last axis, wide and unrounded:
/// n = x / sqrt(mean(x²) + eps), with x − mean(x) for x in a LayerNorm. This n, after the
/// norm and before the scale, is the f of Theorem 1.
Tensor normalised(const Tensor& x, const NormSpec& spec,
                  SummationOrder order = SummationOrder::Standard);

/// n ⊙ m [+ bias], rounded in the order that the spec says.
Tensor scaled(const Tensor& n, const NormWeights& weights, const NormSpec& spec,
              const Arithmetic& arithmetic);

/// The whole norm: scaled(normalised(x)).
Tensor norm(const Tensor& x, const NormWeights& weights, const NormSpec& spec,
            const Arithmetic& arithmetic);

}  // namespace equipatch
