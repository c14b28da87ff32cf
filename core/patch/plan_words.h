// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/patch/patch_options.h"
#include "core/patch/planner.h"

namespace equipatch {

/// The parameters that this method patches, each once, in the plan's order.
std::vector<ParameterPlan> parametersOf(const PatchPlan& plan, Method method);

/// Sentences that say why the patched block computes the same as with the context.
std::string reasonOf(const PatchPlan& plan);

struct SymbolMeaning {
  std::string symbol;
  std::string meaning;
};
/// The symbols that occur in the changes of these parameters, in a fixed order.
std::vector<SymbolMeaning> symbolsOf(const std::vector<ParameterPlan>& parameters);

}  // namespace equipatch
