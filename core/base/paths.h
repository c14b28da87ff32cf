// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "core/base/error.h"

namespace equipatch {

// These predicates follow links and return false for a path that cannot be examined.

/// True only if it is certain that nothing exists there.
bool isAbsent(const std::filesystem::path& path);
bool isThere(const std::filesystem::path& path);
bool isFile(const std::filesystem::path& path);  ///< a regular file
bool isFolder(const std::filesystem::path& path);
/// True for everything that is neither a file nor a folder; opening it may block.
bool isPipeOrDevice(const std::filesystem::path& path);

/// The absolute path of a folder, without ".", ".." or a slash at its end, for
/// comparisons. Keeps symbolic links, unless removing "LINK/.." from an existing path
/// would lead to another folder: then all links are resolved.
std::filesystem::path absoluteFolder(const std::filesystem::path& folder);

/// The error for a folder whose entries could not be read.
Error unlistable(const std::filesystem::path& folder, std::error_code problem);

/// At most `most` bytes; empty when the path is not a regular file or cannot be read.
std::string startOfFile(const std::filesystem::path& path, std::size_t most);

/// Replaces a small file atomically: other programs see either the old or the new text.
/// Creates missing folders. @returns false when the file cannot be written
bool replaceFile(const std::filesystem::path& path, std::string_view text);

/// @throws Error{BadInput} when the path is empty or leads to a pipe or a device
void refusePipeOrDevice(const std::filesystem::path& path);

/// The error for a file that could not be created or written.
/// @param systemError errno of the failed call; 0 if unknown
Error unwritable(const std::filesystem::path& path, int systemError = 0);

/// For use before long work; creates nothing.
/// @throws Error{Resource} when the folder of `file` does not exist or is not writable
void requireFolderFor(const std::filesystem::path& file);

}  // namespace equipatch
