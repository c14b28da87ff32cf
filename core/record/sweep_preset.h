#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/sweep/sweep_prompts.h"

namespace equipatch {

/// A sweep that comes with the program.
struct SweepPreset {
  std::vector<SweepPrompt> prompts;
  std::vector<std::string> grids;  ///< as `--grid` takes them
  std::int64_t steps = 64;
  bool measureNoise = false;
};

/// "paper": what Figure 4 of the first paper compares (docs/sweeps.md).
/// @throws Error{BadInput} naming the presets there are.
SweepPreset sweepPreset(std::string_view name);

}  // namespace equipatch
