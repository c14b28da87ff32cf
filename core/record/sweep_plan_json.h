#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/record/sweep/sweep_plan.h"

namespace equipatch {

/// What `sweep.json` holds.
nlohmann::ordered_json toJson(const SweepPlan& plan);

/// The plan that `toJson` made the object of, which may be a stranger's by now.
/// @param source what errors call it
/// @throws Error{BadInput} naming what is missing or wrong; Error{Unsupported} when a
/// newer version wrote it.
SweepPlan sweepPlanFrom(const nlohmann::json& json, const std::string& source);

}  // namespace equipatch
