#pragma once

#include <filesystem>

#include "core/base/error.h"

namespace equipatch {

// What a path leads to, through links. What cannot be looked at is not there: opening it
// says why.

/// Certainly nothing, not even something that cannot be looked at.
bool isAbsent(const std::filesystem::path& path);
bool isThere(const std::filesystem::path& path);
bool isFile(const std::filesystem::path& path);  ///< a regular one
bool isFolder(const std::filesystem::path& path);

/// Why a file could not even be begun: the folder is not there, or not to be written in.
Error unwritable(const std::filesystem::path& path);

}  // namespace equipatch
