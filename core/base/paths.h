// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "core/base/error.h"

namespace equipatch {

// Predicates on the file that a path leads to; links are followed. They return false for
// a path that cannot be examined; opening it reports why.

/// True only if it is certain that nothing exists there.
bool isAbsent(const std::filesystem::path& path);
bool isThere(const std::filesystem::path& path);
bool isFile(const std::filesystem::path& path);  ///< a regular file
bool isFolder(const std::filesystem::path& path);
/// True if the path leads to something that is neither a file nor a folder; opening it
/// may block.
bool isPipeOrDevice(const std::filesystem::path& path);

/// The absolute path of a folder without ".", ".." and a slash at its end, so that all
/// ways of writing a path are equal. Links are resolved only in an existing path in which
/// ".." follows a link to a folder elsewhere.
std::filesystem::path absoluteFolder(const std::filesystem::path& folder);

/// The error for a folder whose entries could not be read.
Error unlistable(const std::filesystem::path& folder, std::error_code problem);

/// The first bytes of a regular file; empty when the path is not one or cannot be read.
std::string startOfFile(const std::filesystem::path& path, std::size_t most);

/// Replaces a small file atomically: a reader sees either the old or the new text.
/// Creates the file's folder if it is missing. @returns false when the file cannot be
/// written
bool replaceFile(const std::filesystem::path& path, std::string_view text);

/// Checks a path before a file is written there.
/// @throws Error{BadInput} when the path is empty. When the path leads to a pipe or
///         a device, the error names it.
void refusePipeOrDevice(const std::filesystem::path& path);

/// The error for a file that could not be created. Its sentence names the missing folder
/// or the system's reason.
/// @param systemError errno of the failed call; 0: not known
Error unwritable(const std::filesystem::path& path, int systemError = 0);

/// Checks, before long work, that the folder of a file exists and is writable; creates
/// nothing. @throws Error{Resource} as `unwritable`
void requireFolderFor(const std::filesystem::path& file);

}  // namespace equipatch
