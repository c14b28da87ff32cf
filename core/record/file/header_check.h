// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/record/run_record.h"

namespace equipatch {

// Upper bounds on numbers in a run file's header, far above those of real models.
constexpr std::int64_t kMostRunLayers = 100'000;
constexpr std::int64_t kMostRunWidth = std::int64_t{1} << 20;
constexpr std::int64_t kMostPatchedMatrices = 64;  ///< distinct names; experts share them
constexpr std::int64_t kMostExtent = std::int64_t{1} << 24;  ///< of a stored tensor
constexpr std::int64_t kMostTensorParts = 16;  ///< of fused matrices, as gate and up

/// Checks every number of a header that other code uses as a size, offset, index or loop
/// bound, and that no patched matrix is listed twice. @throws Error{BadInput}
void checkHeader(const RunHeader& header);

}  // namespace equipatch
