#pragma once

#include <filesystem>
#include <string_view>

namespace equipatch {

// What stands under the name of a file to be written, and is not to be lost.

/// What a program writes and may therefore replace.
struct OwnFile {
  std::string_view marker;  ///< among its first 64 bytes
  std::string_view what;    ///< "a figure's numbers"
};

/// Before a file is written without asking: nothing stands there, or what the program
/// wrote itself.
/// @throws Error{BadInput} naming the path when something else does.
void requireOwnOrAbsent(const std::filesystem::path& path, const OwnFile& own);

/// Gives what stands there a name with the time it was written,
/// "theorem-2026-11-22-073512.json".
/// @returns that name; empty when nothing stood there.
/// @throws Error{Resource} when it cannot be renamed.
std::filesystem::path setAside(const std::filesystem::path& path);

}  // namespace equipatch
