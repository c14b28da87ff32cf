#pragma once

#include <filesystem>

namespace equipatch {

/// Asks the system to forget what it keeps of a file in memory, so that the next reader
/// waits for the disk as the first did. Pages that a process has mapped stay.
/// @throws Error{BadInput} naming the path when the file cannot be read.
void dropCachedPages(const std::filesystem::path& path);

/// How much of a file is in memory, from 0 to 1; 0 of an empty one. @throws as above.
double cachedShare(const std::filesystem::path& path);

}  // namespace equipatch
