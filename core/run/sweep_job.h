#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/record/sweep/sweep_plan.h"
#include "core/run/session.h"
#include "core/work/job.h"

namespace equipatch {

/// What a cell's run came to.
struct CellResult {
  std::int64_t steps = 0;
  std::int64_t matches = 0;
  double linfMax = 0.0;
};

/// Hears how a sweep goes on, on the worker's thread; may only store or forward.
class SweepSink {
 public:
  virtual ~SweepSink() = default;

  /// Of the sweep's cells so many were finished before; the others follow.
  virtual void cellsFound(std::size_t finished, std::size_t all) = 0;
  virtual void cellFinished(const SweepCell& cell, const CellResult& result) = 0;
  /// The prompt or the dtype does not suit the model; other cells may.
  virtual void cellFailed(const SweepCell& cell, const Error& error) = 0;
};

/// Cells of a sweep to be computed.
struct SweepWork {
  SweepPlan plan;
  std::filesystem::path model;   ///< folder, checked against the plan's hashes
  std::filesystem::path folder;  ///< claimed for the plan
  std::vector<SweepCell> cells;  ///< those of one dtype side by side
};

/// Computes the cells that are not finished, each recorded in its file from the start.
/// Loads the model once for each dtype. Asked to stop, it leaves after the step; that
/// cell starts again next time.
std::unique_ptr<Job> makeSweepJob(SweepWork work, std::shared_ptr<SweepSink> sink);

}  // namespace equipatch
