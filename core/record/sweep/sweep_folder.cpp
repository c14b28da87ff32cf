// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_folder.h"

#include <random>
#include <string>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/record/export/output_file.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlanFile = "sweep.json";
constexpr std::uintmax_t kMostPlanBytes = std::uintmax_t{256} << 20;

/// Moves `made` to `path`. If another program has created `path` first, only removes
/// `made`; on a file system without hard links, `made` replaces the other file.
void putInPlace(const fs::path& made, const fs::path& path) {
  std::error_code failure, ignored;
  fs::create_hard_link(made, path, failure);
  if (failure && failure != std::errc::file_exists) {
    fs::rename(made, path, failure);
    if (failure) {
      fs::remove(made, ignored);
      throw Error(ErrorKind::Resource,
                  path.string() + ": the file cannot be put in place (" +
                      failure.message() + "); choose another folder");
    }
  }
  fs::remove(made, ignored);
}

/// Writes the plan under a random name first, because several machines may start shards
/// at the same time.
void writePlan(const fs::path& path, const SweepPlan& plan) {
  std::random_device random;
  fs::path own = path;
  own += "." + std::to_string(random()) + std::to_string(random());
  OutputFile file(own);
  file << toJson(plan).dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  file.finish();
  putInPlace(own, path);
}

}  // namespace

void claimSweepFolder(const fs::path& folder, const SweepPlan& plan) {
  checkExtent(plan, folder.string());
  makeFolder(folder);
  if (!isSweepFolder(folder)) writePlan(folder / kPlanFile, plan);
  const SweepPlan there = readSweepPlan(folder);
  std::vector<std::string> differences = differentSettings(there, plan);
  if (there.prompts != plan.prompts) differences.emplace_back("the prompts differ");
  if (there.points != plan.points) differences.emplace_back("the grid differs");
  if (!differences.empty())
    throw badInput(folder.string() + " holds another sweep (" + joined(differences) +
                   "); give the settings of that sweep to continue it, or choose "
                   "another folder");
}

bool isSweepFolder(const fs::path& folder) {
  return isThere(folder / kPlanFile);
}

SweepPlan readSweepPlan(const fs::path& folder) {
  const fs::path path = folder / kPlanFile;
  if (isAbsent(path))
    throw badInput(folder.string() +
                   " is not the folder of a sweep: it holds no sweep.json");
  return sweepPlanFrom(readJsonFile(path, kMostPlanBytes), path.string());
}

std::optional<StoredRun> finishedRun(const fs::path& folder, const SweepPlan& plan,
                                     const SweepCell& cell) {
  const fs::path path = folder / cell.fileName();
  if (!isThere(path)) return std::nullopt;
  try {
    StoredRun run = readRun(path);
    if (run.ending == RunEnding::Complete && run.damage.empty() && !run.steps.empty() &&
        isRunOf(*run.header, plan, cell))
      return run;
  } catch (const Error& error) {
    // A file that cannot be read at the moment may be intact.
    if (error.kind() == ErrorKind::Resource) throw;
  }
  return std::nullopt;
}

}  // namespace equipatch
