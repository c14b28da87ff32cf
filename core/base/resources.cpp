#include "core/base/resources.h"

#include <cstdlib>
#include <system_error>

#include "core/base/paths.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

struct Places {
  const char* installed;  ///< below share/equipatch
  const char* source;     ///< below the source tree
};

Places placesOf(Resource resource) {
  switch (resource) {
    case Resource::GoldenCheckpoints:
      return {"golden", "tests/data/golden"};
    case Resource::BundledModel:
      return {"models/equipatch-tiny", "resources/models/equipatch-tiny"};
    case Resource::Shapes:
      return {"shapes", "resources/shapes"};
  }
  return {"", ""};
}

}  // namespace

std::optional<fs::path> findResource(Resource resource, const fs::path& programFolder) {
  const Places places = placesOf(resource);
  const fs::path chosen = folderFromEnvironment("EQUIPATCH_RESOURCES");
  if (!chosen.empty()) {
    const fs::path there = chosen / places.installed;
    return isFolder(there) ? std::optional(there) : std::nullopt;
  }
  const fs::path installed =
      (programFolder / "../share/equipatch" / places.installed).lexically_normal();
  if (!programFolder.empty() && isFolder(installed)) return installed;
  const fs::path source = fs::path(EQUIPATCH_SOURCE_FOLDER) / places.source;
  if (isFolder(source)) return source;
  return std::nullopt;
}

std::optional<fs::path> findResource(Resource resource) {
  std::error_code ignored;
  return findResource(resource,
                      fs::read_symlink("/proc/self/exe", ignored).parent_path());
}

fs::path userDataFolder() {
  const fs::path chosen = folderFromEnvironment("XDG_DATA_HOME");
  if (chosen.is_absolute()) return chosen;  // the standard says to ignore relative ones
  const fs::path home = homeFolder();
  return home.empty() ? home : home / ".local" / "share";
}

fs::path userCacheFolder() {
  const fs::path chosen = folderFromEnvironment("XDG_CACHE_HOME");
  if (chosen.is_absolute()) return chosen;
  const fs::path home = homeFolder();
  return home.empty() ? home : home / ".cache";
}

fs::path homeFolder() {
  return folderFromEnvironment("HOME");
}

fs::path folderFromEnvironment(const std::string& variable) {
  const char* value = std::getenv(variable.c_str());
  return value ? fs::path(value) : fs::path();
}

}  // namespace equipatch
