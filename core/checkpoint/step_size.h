// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/dtype.h"

namespace equipatch {

class Checkpoint;

/// Total size of the matrices that multiply one token's activations: those of attention
/// or DeltaNet, MLPs, per-layer embeddings and the head. In a MoE block, the
/// router, the shared expert and only the active experts count. The embedding matrix
/// counts only when it is the head.
struct StepSize {
  std::int64_t elements = 0;
  std::int64_t bytes = 0;         ///< in memory during the run, scales of MXFP4 included
  std::int64_t headElements = 0;  ///< part of `elements`
};

/// @param dtype of the run
StepSize stepSize(const Checkpoint& checkpoint, DType dtype);

}  // namespace equipatch
