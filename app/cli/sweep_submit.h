// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/record/sweep/sweep_plan.h"

namespace equipatch::cli {

/// The options that submit a sweep to Slurm and set the resources of each task.
struct SubmitOptions {
  std::optional<std::string> how;  ///< "slurm" or "script"
  std::optional<std::int64_t> tasks, cpus;
  std::optional<std::string> partition, time, memory, gres, account;

  void addTo(CLI::App& command);
  /// @throws CLI::ValidationError naming an option whose value cannot be in the script
  void check() const;
};

struct SweepToSubmit {
  SweepPlan plan;
  std::filesystem::path model;
  std::filesystem::path folder;      ///< made or checked by claimSweepFolder
  std::string weights;               ///< the value of --weights
  int threads = 0;                   ///< the value of --threads; 0: not given
  std::optional<int> parallel = {};  ///< the value of --parallel
};

/// Writes the scripts of a sweep and submits them if the options say so. Only prints a
/// message if all cells are finished.
/// @param compute computes a cell in this process, so that its time and memory can be
///        measured; called only if --time or --mem is absent and no finished cell's time
///        is known
/// @returns the program's exit code
/// @throws Error{BadInput} when none of the computed cells is finished; Error when
///         scripts cannot be written or submitted; as `compute`
int submitSweep(const SubmitOptions& options, const SweepToSubmit& sweep, bool json,
                const std::function<void(const SweepCell&)>& compute);

/// @returns the program's exit code. @throws Error as `readSweepStatus`.
int showSweepStatus(const std::filesystem::path& folder, bool json);

}  // namespace equipatch::cli
