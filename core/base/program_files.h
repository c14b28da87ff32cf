// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace equipatch {

/// Files that belong to the program itself.
enum class Resource {
  GoldenCheckpoints,   ///< tiny models with reference results, a folder each
  ImageGoldens,        ///< the same for models that accept images
  BundledModel,        ///< the model that comes with the program
  BundledVisionModel,  ///< the bundled model that accepts images
  Shapes,              ///< config.json files of known models, one folder each
};

/// The folder of a resource for a program in `programFolder`: below the folder that the
/// environment variable EQUIPATCH_RESOURCES names, if it is set; else in an
/// installation's ../share/equipatch; else in the source tree of the build. Empty when it
/// does not exist there.
std::optional<std::filesystem::path> findResource(
    Resource resource, const std::filesystem::path& programFolder);

/// The same for the running program.
std::optional<std::filesystem::path> findResource(Resource resource);

/// The user's folder for persistent data: XDG_DATA_HOME if that is an absolute path, else
/// .local/share in the home folder; empty when the home folder is needed and unknown.
std::filesystem::path userDataFolder();
/// The same for data that can be recreated: XDG_CACHE_HOME, else .cache.
std::filesystem::path userCacheFolder();
/// The user's home; empty when unknown.
std::filesystem::path homeFolder();
/// Replaces "~" and a leading "~/" with the home folder, if that is known. "~user" stays
/// as it is.
std::filesystem::path expandedHome(const std::filesystem::path& path);
/// The path in an environment variable; empty when unset.
std::filesystem::path folderFromEnvironment(const std::string& variable);

/// The folder of the program's own libraries: the one that contains this function's
/// library. Empty when the loader does not know it.
std::filesystem::path ownLibraryFolder();

/// A function of one of the program's own libraries. The library is loaded on first use
/// and never unloaded.
/// @param file in `ownLibraryFolder`, for example "libequipatch_backend.so"
/// @param flags of dlopen
/// @throws Error{Resource} naming the file and the loader's reason.
void* ownLibraryFunction(const char* file, const char* function, int flags);

}  // namespace equipatch
