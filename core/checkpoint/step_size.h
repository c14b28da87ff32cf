// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/dtype.h"

namespace equipatch {

class Checkpoint;

/// Size of the matrices that one token's activations are multiplied by: those of
/// attention or DeltaNet, of MLPs, of per-layer embeddings and of the head. A MoE block
/// counts its router, its shared expert and as many experts as are active. The embedding
/// matrix counts only when it is the head.
struct StepSize {
  std::int64_t elements = 0;
  std::int64_t bytes = 0;         ///< in memory during the run; of MXFP4 with the scales
  std::int64_t headElements = 0;  ///< part of `elements`
};

/// @param dtype of the run
StepSize stepSize(const Checkpoint& checkpoint, DType dtype);

}  // namespace equipatch
