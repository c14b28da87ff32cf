// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/patch/patch_options.h"
#include "core/patch/planner.h"

namespace equipatch {

// A plan in words: why a block can be patched, and what its formulas' symbols mean.

/// The parameters that this method patches, each once, in the plan's order.
std::vector<ParameterPlan> parametersOf(const PatchPlan& plan, Method method);

/// Why the patched block computes what it computed with the context, in plain sentences.
std::string reasonOf(const PatchPlan& plan);

struct SymbolMeaning {
  std::string symbol;
  std::string meaning;
};
/// The symbols that occur in the changes of these parameters, in a fixed order.
std::vector<SymbolMeaning> symbolsOf(const std::vector<ParameterPlan>& parameters);

}  // namespace equipatch
