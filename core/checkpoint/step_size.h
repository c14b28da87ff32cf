// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/dtype.h"

namespace equipatch {

class Checkpoint;

/// Total size of the matrices that multiply one token's activations: those of attention
/// or DeltaNet, MLPs, MoE routers, per-layer embeddings and the head. Of the experts of a
/// MoE block, only the active ones and the shared one count. Lookup tables do not count,
/// except an embedding matrix that is also the head.
struct StepSize {
  std::int64_t elements = 0;
  std::int64_t bytes = 0;         ///< in memory during the run, scales of MXFP4 included
  std::int64_t headElements = 0;  ///< part of `elements`
};

/// @param dtype of the run
StepSize stepSize(const Checkpoint& checkpoint, DType dtype);

}  // namespace equipatch
