#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// A weight in the run's dtype on its device, row-major. It is the mapped file itself
/// where that is how the file keeps it; otherwise it is converted a few megabytes at a
/// time and the file's pages are handed back, so that it never stands in memory twice.
Tensor loadTensor(const StoredWeight& weight, const Arithmetic& arithmetic);

/// Whether it is the mapped file itself that is computed with.
bool isUsedInPlace(const StoredWeight& weight, const Arithmetic& arithmetic);

/// A stored tensor as the file has it; copied only where the file misaligns it.
Tensor storedTensor(const TensorView& view);

/// The part of a stored tensor that is meant, as a view [groups, n, inputs…]; see
/// TensorPart.
Tensor partOf(const Tensor& stored, const TensorPart& part);

}  // namespace equipatch
