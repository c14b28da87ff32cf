// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/parity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/machine.h"
#include "core/base/number_format.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/checkpoint/checkpoint.h"
#include "core/record/export/output_file.h"
#include "core/run/backend.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

// About 30 entries name 40 files each: 5 MB if every path is as long as PATH_MAX allows.
constexpr std::uintmax_t kMostCacheBytes = std::uintmax_t{16} << 20;
constexpr const char* kDepends = "depends";
constexpr const char* kLargest = "largest";
constexpr const char* kTorch = "torch";

/// "path size time": differs after the file was changed or removed.
std::string stateOf(const fs::path& file) {
  std::error_code problem;
  const auto size = fs::file_size(file, problem);
  const auto time = fs::last_write_time(file, problem).time_since_epoch().count();
  return file.string() + ' ' + std::to_string(problem ? 0 : size) + ' ' +
         std::to_string(problem ? 0 : time);
}

void addFiles(std::set<std::string>& states, const fs::path& folder) {
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem);
       !problem && at != fs::directory_iterator(); at.increment(problem))
    if (isFile(at->path())) states.insert(stateOf(at->path()));
}

/// The processor and the files that a check's result depends on.
Json dependencies(const ParityCache::Folders& golden, const fs::path& torchLibrary) {
  std::set<std::string> states{processorName(), stateOf(torchLibrary)};
  addFiles(states, ownLibraryFolder());
  for (const fs::path& folder : golden) addFiles(states, folder);
  return states;
}

/// Empty when the file is missing or damaged.
Json readCache(const fs::path& file) {
  if (file.empty() || !isFile(file)) return Json::object();
  try {
    Json cache = readJsonFile(file, kMostCacheBytes);
    return cache.is_object() ? cache : Json::object();
  } catch (const Error&) {
    return Json::object();
  }
}

/// The value rounded up to one significant digit.
std::string bound(double value) {
  if (value > 0.0 && std::isfinite(value)) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)));
    value = std::ceil(value / unit * (1.0 - 1e-12)) * unit;
  }
  return scientificText(value, 0);
}

double quotient(double error, double scale) {
  if (error == 0.0) return 0.0;
  return scale > 0.0 ? error / scale : std::numeric_limits<double>::infinity();
}

}  // namespace

double GoldenResult::largest() const {
  return std::max({logits, hidden, modules});
}

bool GoldenResult::equal() const {
  return greedy.value_or(true) && largest() <= kGoldenTolerance;
}

double PatchResult::ratio() const {
  return quotient(linf, bareLinf);
}

double PatchResult::floorShare() const {
  return quotient(linf, floor);
}

bool PatchResult::passes() const {
  constexpr double kFloat32 = 1e-4;
  constexpr double kFloat64 = 1e-10;
  if (byteSize(dtype) == 2) return steps > 0 && floorShare() <= 1.0;
  return steps > 0 && matches == steps &&
         ratio() <= (dtype == DType::F64 ? kFloat64 : kFloat32);
}

fs::path ParityCache::defaultFile() {
  const fs::path cache = userCacheFolder();
  return cache.empty() ? cache : cache / "equipatch" / "parity.json";
}

std::optional<double> ParityCache::find(const std::string& architecture,
                                        const Folders& golden) const {
  const Json cache = readCache(m_file);
  const auto found = cache.find(architecture);
  if (found == cache.end() || !found->is_object()) return std::nullopt;
  const Json torch = found->value(kTorch, Json());
  const Json largest = found->value(kLargest, Json());
  if (!torch.is_string() || !largest.is_number() ||
      found->value(kDepends, Json()) != dependencies(golden, torch.get<std::string>()))
    return std::nullopt;
  return largest.get<double>();
}

void ParityCache::keep(const std::string& architecture, const Folders& golden,
                       double largest, const fs::path& torchLibrary) const {
  if (m_file.empty() || !isFile(torchLibrary)) return;
  Json cache = readCache(m_file);
  cache[architecture] = {{kLargest, largest},
                         {kTorch, torchLibrary.string()},
                         {kDepends, dependencies(golden, torchLibrary)}};
  try {
    makeFolder(m_file.parent_path());
    OutputFile file(m_file);
    file << cache.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
    file.finish();
  } catch (const Error&) {
    // The checks are repeated next time.
  }
}

std::string badgeText(const ParityBadge& badge) {
  switch (badge.state) {
    case ParityState::Unknown:
      return "not checked yet";
    case ParityState::NoReference:
      return "no reference";
    case ParityState::Equal:
      return "✓ architecture equals Hugging Face's within " + bound(badge.largest);
    case ParityState::Different:
      break;
  }
  if (!badge.problem.empty()) return "✗ could not be checked";
  if (badge.largest <= kGoldenTolerance) return "✗ other greedy tokens than Hugging Face";
  return "✗ differs from Hugging Face by " + bound(badge.largest);
}

std::vector<fs::path> goldenFolders() {
  std::vector<fs::path> folders;
  for (const Resource resource : {Resource::GoldenCheckpoints, Resource::ImageGoldens}) {
    const auto root = findResource(resource);
    if (!root) continue;
    std::error_code problem;
    for (fs::directory_iterator at(*root, problem);
         !problem && at != fs::directory_iterator(); at.increment(problem)) {
      if (isFile(at->path() / "golden.safetensors")) folders.push_back(at->path());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

ParityBook::ParityBook(Folders folders, ParityCache cache)
    : m_folders(std::move(folders)), m_cache(std::move(cache)) {}

void ParityBook::sortByArchitecture() {
  for (const fs::path& folder : std::exchange(m_folders, {})) {
    try {
      m_byArchitecture[Checkpoint::open(folder).spec().architecture].push_back(folder);
    } catch (const Error&) {
      // A checkpoint that this build cannot read is skipped.
    }
  }
}

ParityBadge ParityBook::known(const std::string& architecture) const {
  const auto found = m_badges.find(architecture);
  return found == m_badges.end() ? ParityBadge{} : found->second;
}

ParityBadge ParityBook::badge(const std::string& architecture, Progress& progress) {
  if (const auto found = m_badges.find(architecture); found != m_badges.end())
    return found->second;
  sortByArchitecture();
  ParityBadge badge = check(architecture, progress);
  badge.text = badgeText(badge);
  m_badges[architecture] = badge;
  return badge;
}

ParityBadge ParityBook::check(const std::string& architecture, Progress& progress) const {
  const auto found = m_byArchitecture.find(architecture);
  if (found == m_byArchitecture.end()) return {.state = ParityState::NoReference};
  const Folders& folders = found->second;
  if (const auto largest = m_cache.find(architecture, folders))
    return {.state = ParityState::Equal, .largest = *largest};
  ParityBadge badge{.state = ParityState::Equal};
  for (const fs::path& folder : folders) {
    try {
      const GoldenResult result = backend().checkGolden(folder, progress);
      badge.largest = std::max(badge.largest, result.largest());
      if (!result.equal()) badge.state = ParityState::Different;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Cancelled) throw;
      badge.state = ParityState::Different;
      badge.problem = error.what();
    }
  }
  if (badge.state == ParityState::Equal)
    m_cache.keep(architecture, folders, badge.largest, backend().torchLibrary());
  return badge;
}

}  // namespace equipatch
