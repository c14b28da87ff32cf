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

/// The settings, separated by `between`: "bfloat16 direct open materialised". Unless the
/// strength is 1, "strength=0.5" follows.
std::string pointText(const SweepPoint& point, char between = ' ');

/// All combinations of what `--grid` lists:
/// "dtype=float32,bfloat16,method=direct,stable,strength=0,0.5,1". A value without a key
/// belongs to the key before it. The dtype defaults to `stored`, other settings to a
/// comparison's defaults.
/// @param stored the dtype of the checkpoint
/// @throws Error{BadInput} for an empty text, and for a key or value that is unknown or
/// given twice, which it names.
std::vector<SweepPoint> parseGrid(std::string_view text, DType stored);

/// The points of several grids, each once, grouped by dtype. Without grids: one point
/// that has all defaults. @throws Error as parseGrid
std::vector<SweepPoint> parseGrids(const std::vector<std::string>& grids, DType stored);

}  // namespace equipatch
