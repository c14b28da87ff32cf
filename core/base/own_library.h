#pragma once

#include <filesystem>

namespace equipatch {

/// Where the program's own libraries lie: the folder of the library this function is in.
std::filesystem::path ownLibraryFolder();

/// A function of one of the program's own libraries, which is loaded when it is first
/// asked for and never unloaded.
/// @param file of `ownLibraryFolder`, for example "libequipatch_backend.so"
/// @param flags of dlopen
/// @throws Error{Resource} that names the file and says why it cannot be loaded.
void* ownLibraryFunction(const char* file, const char* function, int flags);

}  // namespace equipatch
