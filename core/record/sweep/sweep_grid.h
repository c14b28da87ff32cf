#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// A point of a sweep's grid: what its runs are computed with.
struct SweepPoint {
  DType dtype = DType::F32;
  PatchOptions patch;

  bool operator==(const SweepPoint&) const = default;
};

/// "bfloat16 direct open materialised", or with another character between.
std::string pointText(const SweepPoint& point, char between = ' ');

/// All combinations of what `--grid` lists:
/// "dtype=float32,bfloat16,method=direct,stable". A value without a key belongs to the
/// key before it. What is not listed is as `stored`, and as a comparison has it when
/// nothing is said.
/// @param stored the dtype of the checkpoint
/// @throws Error{BadInput} naming what is no key or no value, or is said twice.
std::vector<SweepPoint> parseGrid(std::string_view text, DType stored);

/// The points of several grids, each once, those of one dtype side by side; without any
/// grid the one point that nothing was said of.
std::vector<SweepPoint> parseGrids(const std::vector<std::string>& grids, DType stored);

}  // namespace equipatch
