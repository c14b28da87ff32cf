// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/sweep_submit.h"
#include "core/record/sweep/sweep_plan.h"

namespace equipatch::cli {

struct SweepOptions {
  std::string model;
  std::optional<std::string> prompts, preset, shard, out, status;
  SubmitOptions submit;
  std::vector<std::string> grids;
  std::vector<std::string> images;
  std::vector<std::string> merged;
  std::optional<std::int64_t> steps;
  std::optional<double> temperature;
  std::optional<std::string> seeds;
  std::string device = "cpu";
  const CLI::Option* deviceOption = nullptr;  ///< says whether --device was given
  std::string weights = "auto";
  int threads = 0;  ///< 0: the default
  std::optional<int> parallel;
  bool noise = false;
  bool ablated = false;
  bool ignoreEndOfSequence = false;
  bool noPictures = false;
  bool chat = false;
  bool sentences = false;
  bool json = false;

  void addTo(CLI::App& command);
  /// @throws CLI::Error for options that do not go together or cannot be read.
  void check() const;
  /// The plan that the options and their preset describe; if they give neither prompts
  /// nor a preset, the plan that the folder of --out contains.
  /// @throws Error if the model, the prompts, their images or the grid cannot be read or
  /// do not go together, and as readSweepPlan.
  SweepPlan plan(const std::filesystem::path& modelFolder) const;

 private:
  /// True if the sweep in --out is continued with the plan that it contains.
  bool continuesSweep() const { return !prompts && !preset; }
  void checkContinuation() const;
  std::vector<SweepPrompt> withOptions(std::vector<SweepPrompt> given) const;
  void addMerging(CLI::App& command);
};

}  // namespace equipatch::cli
