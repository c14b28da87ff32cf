// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_status.h"

#include <sys/stat.h>
#include <algorithm>
#include <ctime>
#include <sstream>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/record/file/run_file.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

/// "2026-11-21T08:30:00Z" in seconds since 1970.
std::optional<std::time_t> secondsOf(const std::string& utc) {
  std::tm parts = {};
  if (!::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts)) return std::nullopt;
  return ::timegm(&parts);
}

/// The time from the run's start, which is known to the second, to the last change of its
/// file.
std::optional<double> secondsTaken(const fs::path& path, const RunHeader& header) {
  const auto begin = secondsOf(header.provenance.startTime);
  struct stat status = {};
  if (!begin || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  const double end = static_cast<double>(status.st_mtim.tv_sec) +
                     1e-9 * static_cast<double>(status.st_mtim.tv_nsec);
  const double taken = end - static_cast<double>(*begin);
  if (taken < 0.0) return std::nullopt;
  return taken;
}

/// The header of the cell's run where it is complete. Looks at the beginning and the end
/// of the file only; `finishedRun` reads it all.
std::shared_ptr<const RunHeader> completeHeader(const fs::path& path,
                                                const SweepPlan& plan,
                                                const SweepCell& cell) {
  if (!isThere(path)) return nullptr;
  try {
    const RunFile file(path);
    if (file.ending() == RunEnding::Complete && isRunOf(*file.header(), plan, cell))
      return file.header();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Resource) throw;
  }
  return nullptr;
}

}  // namespace

std::int64_t SweepStatus::waiting() const {
  return cells - finished - std::ssize(running) - std::ssize(failed);
}

std::optional<std::chrono::seconds> SweepStatus::left() const {
  const std::int64_t open = waiting() + std::ssize(running);
  if (open == 0 || running.empty() || !cellSeconds) return std::nullopt;
  // Cells that run are half done, on average.
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
    if (const auto header = completeHeader(folder / file, plan, cell)) {
      ++status.finished;
      const auto taken = secondsTaken(folder / file, *header);
      if (taken) seconds += *taken;
      if (taken) ++timed;
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
