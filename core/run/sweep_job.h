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

struct CellResult {
  std::int64_t steps = 0;
  std::int64_t matches = 0;  ///< steps with StepRecord::match
  double linfMax = 0.0;      ///< the largest L∞ of the steps' patchedDistance
};

/// Receives a sweep's results on the worker's thread; may only store or forward them.
class SweepSink {
 public:
  virtual ~SweepSink() = default;

  /// @param finished cells that were computed before
  virtual void cellsFound(std::size_t finished, std::size_t all) = 0;
  virtual void cellFinished(const SweepCell& cell, const CellResult& result) = 0;
  /// Called when another program has computed this cell since `cellsFound`.
  virtual void cellFinishedElsewhere(const SweepCell& cell) = 0;
  /// Called when only this cell cannot be computed, for example because its prompt does
  /// not fit the model. The sweep continues.
  virtual void cellFailed(const SweepCell& cell, const Error& error) = 0;
  /// Called at the end with the number of cells that other programs are computing, if
  /// there are any.
  virtual void cellsElsewhere(std::size_t count) = 0;
};

/// The cells of a sweep that this program computes.
struct SweepWork {
  SweepPlan plan;
  std::filesystem::path model;            ///< folder with the weights of `plan.origin`
  std::filesystem::path folder;           ///< of the runs; made by claimSweepFolder
  std::vector<SweepCell> cells;           ///< cells of one dtype are adjacent
  std::optional<WeightPlace> place = {};  ///< see SessionRequest
  /// How many cells to compute at the same time; absent: usualCellsAtOnce. If more than
  /// 1, every cell has one thread. If 1, the cell has all threads, and its results may
  /// differ in the last digits from the results with one thread.
  std::optional<int> cellsAtOnce = {};
};

/// The default of SweepWork::cellsAtOnce.
/// @param weightBytes size of all weights in the run's dtype
int usualCellsAtOnce(std::string_view device, std::int64_t weightBytes, int threads);

/// Computes the unfinished cells that no other program computes (CellClaim). A stop
/// interrupts the current step; the next sweep computes this cell again from the first
/// step. The job cannot be paused.
std::unique_ptr<Job> makeSweepJob(SweepWork work, std::shared_ptr<SweepSink> sink);

}  // namespace equipatch
