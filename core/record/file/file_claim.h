// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/descriptor.h"

namespace equipatch {

/// Claims the file of a recording, so that no other Equipatch program replaces it or
/// records into it. The destructor removes a new file and SQLite's journal unless `keep`
/// was called: a recording that cannot start leaves the name free. The claim is a file
/// lock on one byte far beyond those that SQLite locks; the system releases the lock when
/// the process ends, also by a crash. Destroy the claim after SQLite's connection: when a
/// process closes any descriptor of a file, it loses its POSIX locks on the file, and
/// SQLite uses such locks.
class FileClaim {
 public:
  /// Creates the file. @throws Error{BadInput} when the name is empty, the file exists
  /// already or another program claims it first; Error{Resource} when it cannot be
  /// written.
  static FileClaim create(const std::filesystem::path& path);
  /// Claims an existing file. The destructor does not remove it.
  /// @throws Error{BadInput} when there is no such file, or when this or another program
  /// has claimed it; Error{Resource} when it cannot be written.
  static FileClaim take(const std::filesystem::path& path);
  FileClaim(FileClaim&&) = default;
  FileClaim& operator=(FileClaim&&) = delete;
  ~FileClaim();

  /// Lets the file stay when the claim ends.
  void keep() { m_isKept = true; }

  /// True if a program, this one included, holds a claim to the file. False where the
  /// file system has no locks. The function opens and closes the file, which drops this
  /// process's SQLite locks: do not call it while SQLite has the file open here.
  static bool isHeld(const std::filesystem::path& path);

  /// Removes the file and its journal, if they exist. There is no error if they cannot be
  /// removed. @throws Error{BadInput} when a program has claimed the file.
  static void removeUnheld(const std::filesystem::path& path);

  /// What happened to the file since it was claimed: "was removed", "was replaced by
  /// another file" or, when it is shorter than `least` bytes, "was truncated"; empty if
  /// nothing.
  std::string loss(std::int64_t least) const;

 private:
  FileClaim(std::filesystem::path path, Descriptor file);

  std::filesystem::path m_path;
  Descriptor m_file;
  bool m_isKept = false;
};

}  // namespace equipatch
