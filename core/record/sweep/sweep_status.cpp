// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_status.h"

#include <sys/stat.h>
#include <algorithm>
#include <ctime>
#include <sstream>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/record/file/run_file.h"
#include "core/record/sweep/sweep_folder.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

/// Seconds since 1970 for "2026-11-21T08:30:00Z".
std::optional<std::time_t> secondsOf(const std::string& utc) {
  std::tm parts = {};
  if (!::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts)) return std::nullopt;
  return ::timegm(&parts);
}

/// The run's end in seconds since 1970; if not recorded, the file's last change.
std::optional<std::time_t> endOf(const fs::path& path, const RunFile& file) {
  if (const auto recorded = secondsOf(file.endTime())) return recorded;
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_mtim.tv_sec;
}

struct FinishedCell {
  std::optional<double> seconds;  ///< from the run's start to its end
};

/// None if the cell's run is not complete. Reads no steps, unlike `finishedRun`.
std::optional<FinishedCell> finishedCell(const fs::path& path, const SweepPlan& plan,
                                         const SweepCell& cell) {
  if (!isThere(path)) return std::nullopt;
  try {
    const RunFile file(path);
    if (file.ending() != RunEnding::Complete || !isRunOf(*file.header(), plan, cell))
      return std::nullopt;
    const auto begin = secondsOf(file.header()->provenance.startTime);
    const auto end = endOf(path, file);
    if (!begin || !end || *end < *begin) return FinishedCell{};
    // Times are recorded in whole seconds: 0 counts as half a second.
    return FinishedCell{std::max(0.5, static_cast<double>(*end - *begin))};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Resource) throw;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t SweepStatus::waiting() const {
  return cells - finished - std::ssize(running) - std::ssize(failed);
}

std::optional<std::chrono::seconds> SweepStatus::left() const {
  const std::int64_t open = waiting() + std::ssize(running);
  if (open == 0 || running.empty() || !cellSeconds) return std::nullopt;
  // Running cells are half done, on average.
  const double rounds =
      (static_cast<double>(waiting()) + 0.5 * static_cast<double>(running.size())) /
      static_cast<double>(running.size());
  return std::chrono::seconds(static_cast<std::int64_t>(rounds * *cellSeconds + 0.5));
}

SweepStatus readSweepStatus(const fs::path& folder) {
  const SweepPlan plan = readSweepPlan(folder);
  const CellNotes notes = readCellNotes(folder);
  const Claimant self = Claimant::self();
  SweepStatus status{.modelName = plan.modelName, .running = {}, .failed = {}};
  double seconds = 0.0, timed = 0.0;
  for (const SweepCell& cell : cellsOf(plan)) {
    ++status.cells;
    const std::string file = cell.fileName();
    if (const auto finished = finishedCell(folder / file, plan, cell)) {
      ++status.finished;
      if (finished->seconds) seconds += *finished->seconds;
      if (finished->seconds) ++timed;
      continue;
    }
    const auto claim = notes.claims.find(file);
    if (claim != notes.claims.end() && !claim->second.isAbandoned(self)) {
      status.running.push_back({file, claim->second.claimant});
      continue;
    }
    const auto failure = notes.failures.find(file);
    if (failure != notes.failures.end()) status.failed.push_back({file, failure->second});
  }
  if (timed > 0.0) status.cellSeconds = seconds / timed;
  return status;
}

}  // namespace equipatch
