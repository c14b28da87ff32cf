// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/record/sweep/cell_claim.h"

namespace equipatch {

struct RunningCell {
  std::string file;  ///< name of the cell's run file
  Claimant claimant;
};
struct FailedCell {
  std::string file;
  std::string error;
};

struct SweepStatus {
  std::string modelName;
  std::int64_t cells = 0;
  std::int64_t finished = 0;
  std::vector<RunningCell> running;
  std::vector<FailedCell> failed;  ///< without cells that run again
  /// Average over the finished cells whose time is known; absent if there are none.
  std::optional<double> cellSeconds = {};

  std::int64_t waiting() const;  ///< neither finished, running nor failed
  /// The estimated time until all cells are done, if as many run at once as now. Absent
  /// if no cell runs or `cellSeconds` is absent.
  std::optional<std::chrono::seconds> left() const;
};

/// Reads a sweep's status from its folder alone, on any machine.
/// @throws Error as readSweepPlan; Error{Resource} when a cell's file cannot be read.
SweepStatus readSweepStatus(const std::filesystem::path& folder);

}  // namespace equipatch
