// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/run_record.h"
#include "core/record/sweep/sweep_grid.h"
#include "core/record/sweep/sweep_prompts.h"

namespace equipatch {

/// The settings of a sweep, which runs each prompt at each point.
struct SweepPlan {
  std::string modelName;
  /// Weights, program and machine with which the plan was made. Only the weights must be
  /// the same when the sweep continues.
  Provenance origin;
  std::string device = "cpu";
  std::int64_t steps = 64;
  bool measureNoise = false;
  bool ablated = false;
  bool ignoreEndOfSequence = false;
  bool keepPictures = true;  ///< as RunRequest's; may differ when the sweep continues
  std::vector<SweepPrompt> prompts;
  std::vector<SweepPoint> points;

  bool operator==(const SweepPlan&) const = default;
};

/// One prompt at one point of the grid.
struct SweepCell {
  SweepPrompt prompt;
  SweepPoint point;

  /// "story.bfloat16.direct.open.factored.eqrun"
  std::string fileName() const;
  bool operator==(const SweepCell&) const = default;
};

/// The part of a sweep that one of several programs computes.
struct Shard {
  std::int64_t index = 1;  ///< from 1 to count
  std::int64_t count = 1;
};

/// "2/4": the second of four. @throws Error{BadInput} for anything else.
Shard parseShard(std::string_view text);

/// Every `count`th cell of the plan, from the shard's `index` on. Cells are ordered by
/// point, then by prompt.
std::vector<SweepCell> cellsOf(const SweepPlan& plan, const Shard& shard = {});

/// True if the run has the cell's prompt, the settings of cell and plan, and the plan's
/// weights. Does not compare the text of a chat or of a prompt with images.
bool isRunOf(const RunHeader& header, const SweepPlan& plan, const SweepCell& cell);

/// The reasons why the runs of two sweeps cannot be compared: one clause for each
/// difference in weights, device, steps and settings. Prompts and grid may differ.
std::vector<std::string> differentSettings(const SweepPlan& then, const SweepPlan& now);

/// @param source names the plan in errors
/// @throws Error{BadInput} if the points and prompts make more than a million cells, or
/// cells of more than 1 GiB of text
void checkExtent(const SweepPlan& plan, const std::string& source);

/// The content of `sweep.json`.
nlohmann::ordered_json toJson(const SweepPlan& plan);

/// Reads what `toJson` wrote. The object may be hostile.
/// @param source names the file in errors
/// @throws Error{BadInput} naming what is missing or wrong; Error{Unsupported} when a
/// newer version wrote the plan.
SweepPlan sweepPlanFrom(const nlohmann::json& json, const std::string& source);

}  // namespace equipatch
