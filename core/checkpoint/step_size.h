// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/dtype.h"

namespace equipatch {

class Checkpoint;

/// The matrices that the computation of one token multiplies by: those of attention or
/// DeltaNet, of MLPs, of per-layer embeddings and of the head; in a MoE block those of as
/// many experts as are active, the router and the shared expert. The embedding matrix
/// counts only when it is the head.
struct StepSize {
  std::int64_t elements = 0;
  std::int64_t bytes = 0;         ///< as the run holds them; in MXFP4 with the scales
  std::int64_t headElements = 0;  ///< part of `elements`
};

/// @param dtype the run's
StepSize stepSize(const Checkpoint& checkpoint, DType dtype);

}  // namespace equipatch
