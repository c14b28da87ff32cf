// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"
#include "core/patch/patch_options.h"

namespace equipatch {

/// A point of a sweep's grid: settings with which every prompt is run.
struct SweepPoint {
  DType dtype = DType::F32;
  PatchOptions patch;
  double strength = 1.0;  ///< PatchStrength::alpha

  bool operator==(const SweepPoint&) const = default;
};

/// The settings, separated by `between`: "bfloat16 direct open materialised". Unless the
/// strength is 1, "strength=0.5" follows.
std::string pointText(const SweepPoint& point, char between = ' ');

/// All combinations of the values that `--grid` lists:
/// "dtype=float32,bfloat16,method=direct,stable,strength=0,0.5,1". Settings that are not
/// listed have a comparison's defaults.
/// @param stored the dtype of the checkpoint, used if the text lists no dtype
/// @throws Error{BadInput} naming a key or value that is unknown or given twice, and for
/// an empty text.
std::vector<SweepPoint> parseGrid(std::string_view text, DType stored);

/// The points of several grids without duplicates, grouped by dtype. Without grids: one
/// point with all defaults. @throws Error as parseGrid
std::vector<SweepPoint> parseGrids(const std::vector<std::string>& grids, DType stored);

}  // namespace equipatch
