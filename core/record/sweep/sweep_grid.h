// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// A point of a sweep's grid: the settings of its runs.
struct SweepPoint {
  DType dtype = DType::F32;
  PatchOptions patch;
  double strength = 1.0;  ///< PatchStrength::alpha

  bool operator==(const SweepPoint&) const = default;
};

/// "bfloat16 direct open materialised", or with another character between; with
/// "strength=0.5" at the end unless the strength is 1.
std::string pointText(const SweepPoint& point, char between = ' ');

/// All combinations of what `--grid` lists:
/// "dtype=float32,bfloat16,method=direct,stable,strength=0,0.5,1". A value without a key
/// belongs to the key before it. The dtype defaults to `stored`, other settings to a
/// comparison's defaults.
/// @param stored the dtype of the checkpoint
/// @throws Error{BadInput} naming an unknown key or value, or one given twice; for an
/// empty text.
std::vector<SweepPoint> parseGrid(std::string_view text, DType stored);

/// The points of several grids, each once, grouped by dtype; without any grid the one
/// point of defaults. @throws Error as parseGrid
std::vector<SweepPoint> parseGrids(const std::vector<std::string>& grids, DType stored);

}  // namespace equipatch
