// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/program_files.h"

#include <dlfcn.h>

#include <cstdlib>
#include <system_error>

#include "core/base/error.h"
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
    case Resource::ImageGoldens:
      return {"golden-images", "tests/data/images"};
    case Resource::BundledModel:
      return {"models/equipatch-tiny", "resources/models/equipatch-tiny"};
    case Resource::BundledVisionModel:
      return {"models/equipatch-tiny-vision", "resources/models/equipatch-tiny-vision"};
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

fs::path expandedHome(const fs::path& path) {
  const std::string text = path.string();
  const fs::path home = homeFolder();
  if (home.empty() || !(text == "~" || text.starts_with("~/"))) return path;
  return text == "~" ? home : home / fs::path(text).lexically_relative("~");
}

fs::path folderFromEnvironment(const std::string& variable) {
  const char* value = std::getenv(variable.c_str());
  return value ? fs::path(value) : fs::path();
}

std::filesystem::path ownLibraryFolder() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&ownLibraryFolder), &here) == 0 ||
      !here.dli_fname)
    return {};
  return std::filesystem::path(here.dli_fname).parent_path();
}

void* ownLibraryFunction(const char* file, const char* function, int flags) {
  const std::filesystem::path path = ownLibraryFolder() / file;
  void* const library = dlopen(path.c_str(), flags);
  void* const found = library ? dlsym(library, function) : nullptr;
  if (found) return found;
  const char* const reason = dlerror();
  throw Error(ErrorKind::Resource, path.string() +
                                       ": this part of the program cannot be loaded (" +
                                       (reason ? reason : "for an unknown reason") +
                                       "); install Equipatch again, or build it again");
}

}  // namespace equipatch
