// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/arithmetic.h"

namespace equipatch {

struct ResidentWeight {
  Tensor tensor;
  /// ‖W‖_F of a layer's matrix; 0 if it was not measured, as for a matrix that is stored
  /// transposed.
  double norm = 0.0;
};

/// Reads the weights of a checkpoint's text model into one block of memory, in the run's
/// dtype and row-major. Returns them by canonical name, with the same bits as from
/// `loadTensor`. For the CPU.
///
/// The files' page cache is released, so that the weights are in memory only once. The
/// result lacks weights that no file holds, such as random ones, and weights that are
/// used as stored: matrices in MXFP4 and per-layer embeddings.
/// @throws Error{Cancelled} soon after a stop request; Error{BadInput} when a file cannot
///         be read or has become shorter; Error{Resource} when the memory cannot be
///         reserved.
std::map<std::string, ResidentWeight> readResidentWeights(const Checkpoint& checkpoint,
                                                          const Arithmetic& arithmetic,
                                                          Progress& progress);

/// The number of threads that read the files and measure Frobenius norms.
int readingThreads();

}  // namespace equipatch
