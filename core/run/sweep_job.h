// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/record/sweep/sweep_plan.h"
#include "core/run/session.h"
#include "core/work/job.h"

namespace equipatch {

/// The result of a cell's run.
struct CellResult {
  std::int64_t steps = 0;
  std::int64_t matches = 0;
  double linfMax = 0.0;
};

/// Receives a sweep's results on the worker's thread; may only store or forward them.
class SweepSink {
 public:
  virtual ~SweepSink() = default;

  /// @param finished cells that were computed before
  virtual void cellsFound(std::size_t finished, std::size_t all) = 0;
  virtual void cellFinished(const SweepCell& cell, const CellResult& result) = 0;
  /// Called when another program has computed this cell since cellsFound.
  virtual void cellFinishedElsewhere(const SweepCell& cell) = 0;
  /// Called when only this cell cannot be computed, for example because its prompt does
  /// not fit the model. The sweep continues.
  virtual void cellFailed(const SweepCell& cell, const Error& error) = 0;
  /// Called at the end with the number of cells that other programs are computing or have
  /// taken over; not called if there are none.
  virtual void cellsElsewhere(std::size_t count) = 0;
};

/// The cells of a sweep that this program computes.
struct SweepWork {
  SweepPlan plan;
  std::filesystem::path model;            ///< folder with the weights of `plan.origin`
  std::filesystem::path folder;           ///< of the runs; claimSweepFolder has made it
  std::vector<SweepCell> cells;           ///< cells of one dtype are adjacent
  std::optional<WeightPlace> place = {};  ///< see SessionRequest
  /// How many cells to compute at the same time. If more than 1, every cell has one
  /// thread, even the first cell of a dtype, which runs alone. If 1, a cell has all
  /// threads; its results may then differ in the last digits. Absent: usualCellsAtOnce.
  std::optional<int> cellsAtOnce = {};
};

/// How many cells a sweep computes at the same time by default, for a model whose weights
/// take `weightBytes`.
int usualCellsAtOnce(std::string_view device, std::int64_t weightBytes, int threads);

/// Computes the unfinished cells that no other program computes (CellClaim); a cell's
/// file is put in place when it is complete. Loads the model once for each dtype. A stop
/// takes effect within the current step, between two layers; the next sweep computes the
/// stopped cell again from its first step. The job does not pause.
std::unique_ptr<Job> makeSweepJob(SweepWork work, std::shared_ptr<SweepSink> sink);

}  // namespace equipatch
