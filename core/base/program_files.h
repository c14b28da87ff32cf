// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace equipatch {

enum class Resource {
  GoldenCheckpoints,  ///< tiny models with reference results, one folder each
  ImageGoldens,       ///< golden checkpoints of models that accept images
  BundledModel,
  BundledVisionModel,
  Shapes,  ///< config.json files of known models, one folder each
};

/// The folder of a resource, if it exists. If the environment variable
/// EQUIPATCH_RESOURCES is set and not empty, looks only in the folder that it names; else
/// in `programFolder`/../share/equipatch, then in the source tree of the build.
std::optional<std::filesystem::path> findResource(
    Resource resource, const std::filesystem::path& programFolder);

/// As above, for the running program.
std::optional<std::filesystem::path> findResource(Resource resource);

/// XDG_DATA_HOME if that is an absolute path, else .local/share in the home folder; empty
/// when the home folder is needed and unknown.
std::filesystem::path userDataFolder();
/// The same with XDG_CACHE_HOME and .cache, for data that can be recreated.
std::filesystem::path userCacheFolder();
/// Empty when unknown.
std::filesystem::path homeFolder();
/// Replaces "~" and a leading "~/" with the home folder, if known, but not "~user".
std::filesystem::path expandedHome(const std::filesystem::path& path);
/// Empty when the variable is unset.
std::filesystem::path folderFromEnvironment(const std::string& variable);

/// The folder of the library that contains this function; the program's other libraries
/// lie there too. Empty when the loader does not know the folder.
std::filesystem::path ownLibraryFolder();

/// Loads the library on first use and never unloads it.
/// @param file in `ownLibraryFolder`, for example "libequipatch_backend.so"
/// @param flags of dlopen
/// @throws Error{Resource} with the loader's reason
void* ownLibraryFunction(const char* file, const char* function, int flags);

}  // namespace equipatch
