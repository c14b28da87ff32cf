#pragma once

#include "core/kernel/weight_products.h"
#include "core/model/torch_types.h"

namespace equipatch {

// The two products of attention, head by head. Few rows are computed on the host by the
// kernels, from keys and values as they are kept: a long context is read once, and not
// copied. What a row comes to depends on the other rows only in which of both ways it is
// computed.

/// q Kᵀ: q [kvHeads, rows, headDim], wide; K [kvHeads, count, headDim], as kept
/// → [kvHeads, rows, count], wide.
Tensor headScores(const Tensor& q, const Tensor& K, SummationOrder order);

/// p V: p [kvHeads, rows, count], wide; V [kvHeads, count, headDim], as kept
/// → [kvHeads, rows, headDim], wide.
Tensor weightedValues(const Tensor& p, const Tensor& V, SummationOrder order);

}  // namespace equipatch
