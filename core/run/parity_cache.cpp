#include "core/run/parity_cache.h"

#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/machine.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/record/export/output_file.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostCacheBytes = 1 << 20;
constexpr const char* kDepends = "depends";
constexpr const char* kLargest = "largest";
constexpr const char* kTorch = "torch";

/// "path size time"; differs from what was kept when the file is gone or another one.
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

/// All that a check's result depends on.
Json dependencies(const ParityCache::Folders& golden, const fs::path& torchLibrary) {
  std::set<std::string> states{processorName(), stateOf(torchLibrary)};
  addFiles(states, ownLibraryFolder());
  for (const fs::path& folder : golden) addFiles(states, folder);
  return states;
}

/// An empty object when there is none or it is damaged: it is only a cache.
Json readCache(const fs::path& file) {
  if (file.empty() || !isFile(file)) return Json::object();
  try {
    Json cache = readJsonFile(file, kMostCacheBytes);
    return cache.is_object() ? cache : Json::object();
  } catch (const Error&) {
    return Json::object();
  }
}

}  // namespace

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
    // The checks are made again next time.
  }
}

}  // namespace equipatch
