// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/record/run_record.h"

namespace equipatch {

// Upper bounds on the numbers in a run file's header. Those of models that the program
// can load are far smaller.
constexpr std::int64_t kMostRunLayers = 100'000;
constexpr std::int64_t kMostRunWidth = std::int64_t{1} << 20;
constexpr std::int64_t kMostPatchedMatrices = 64;  ///< by name; experts share names
constexpr std::int64_t kMostExtent = std::int64_t{1} << 24;  ///< of a stored tensor
constexpr std::int64_t kMostTensorParts = 16;  ///< fused matrices, such as gate and up

/// Checks every number of a header that readers use as a size, an offset, an index or a
/// bound of a loop, and that no patched matrix is listed twice: each has its own columns
/// in exported tables. @throws Error{BadInput} with the value and what was expected.
void checkHeader(const RunHeader& header);

}  // namespace equipatch
