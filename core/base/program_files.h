#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace equipatch {

/// Files that belong to the program itself.
enum class Resource {
  GoldenCheckpoints,  ///< tiny models with reference results, a folder each
  BundledModel,       ///< the model that comes with the program
  Shapes,             ///< config.json files of known models, a folder each
};

/// Where a program run from `programFolder` keeps a resource: in the folder that the
/// environment variable EQUIPATCH_RESOURCES names and nowhere else, or, where it names
/// none, beside an installation's programs in ../share/equipatch, otherwise in the source
/// tree it was built from. Nothing when it is not there.
std::optional<std::filesystem::path> findResource(
    Resource resource, const std::filesystem::path& programFolder);

/// Of this program.
std::optional<std::filesystem::path> findResource(Resource resource);

/// The folder in which programs of this user keep what they remember, XDG_DATA_HOME;
/// empty when the system does not say where the user is at home.
std::filesystem::path userDataFolder();
/// The folder for what programs of this user could do without, XDG_CACHE_HOME; empty as
/// above.
std::filesystem::path userCacheFolder();
/// The user's home; empty when unknown.
std::filesystem::path homeFolder();
/// An environment variable as a path; empty when unset.
std::filesystem::path folderFromEnvironment(const std::string& variable);

/// Where the program's own libraries lie: the folder of the library this function is in.
std::filesystem::path ownLibraryFolder();

/// A function of one of the program's own libraries, which is loaded when it is first
/// asked for and never unloaded.
/// @param file of `ownLibraryFolder`, for example "libequipatch_backend.so"
/// @param flags of dlopen
/// @throws Error{Resource} that names the file and says why it cannot be loaded.
void* ownLibraryFunction(const char* file, const char* function, int flags);

}  // namespace equipatch
