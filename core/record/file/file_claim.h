// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/descriptor.h"

namespace equipatch {

/// A new file that this program alone writes. A lock of the system, which ends with the
/// process however it ends, keeps other programs that record from taking its place. It
/// lies far behind the bytes that SQLite locks. Close it after SQLite's connection: it
/// would take SQLite's locks along.
class FileClaim {
 public:
  /// Makes the file. @throws Error{BadInput} when there is one, or another program
  /// claimed it in between; Error{Resource} when it cannot be written.
  static FileClaim create(const std::filesystem::path& path);

  /// Whether somebody holds a claim to the file. False where the file system has no
  /// locks.
  static bool isHeld(const std::filesystem::path& path);

  /// Removes a file of that name. @throws Error{BadInput} when somebody holds a claim.
  static void removeUnheld(const std::filesystem::path& path);

  /// What became of the file since: "was removed", "was replaced by another file" or,
  /// when it is shorter than `least` bytes, "was truncated"; empty if nothing.
  std::string loss(std::int64_t least) const;

 private:
  FileClaim(std::filesystem::path path, Descriptor file);

  std::filesystem::path m_path;
  Descriptor m_file;
};

}  // namespace equipatch
