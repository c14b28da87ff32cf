#pragma once

#include <span>

#include "core/base/dtype.h"

namespace equipatch {

/// The numbers nearest to `from` (ties to even) that BF16 or F16 can hold, or all as they
/// are for F32. Both are equally long and may be the same.
void roundElements(DType dtype, std::span<const float> from, std::span<float> to);

}  // namespace equipatch
