#pragma once

#include <vector>

#include "ui/run/engine.h"

namespace equipatch {

/// The runs that show what number formats do to the patch: float32; and bfloat16 with
/// the first paper's open patches, with those of its Appendix B, and with balanced
/// closed ones. All else is as in `base`.
std::vector<RunSettings> precisionGrid(const RunSettings& base);

}  // namespace equipatch
