// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/descriptor.h"

namespace equipatch {

/// Claims the file of a recording, so that no other Equipatch program replaces it or
/// records into it. The destructor removes a created file and its journal unless `keep`
/// was called. The claim is a lock on one byte that SQLite does not lock; the system
/// releases the lock when the process ends, even in a crash. Destroy the claim after
/// SQLite's connection: closing any descriptor of a file drops all POSIX locks of the
/// process on the file, and SQLite uses such locks.
class FileClaim {
 public:
  /// Creates the file. @throws Error{BadInput} when the name is empty, the file exists or
  /// another program claims it first; Error{Resource} when it cannot be created.
  static FileClaim create(const std::filesystem::path& path);
  /// Claims an existing file. The destructor does not remove it.
  /// @throws Error{BadInput} when the file cannot be opened, or when this or another
  /// program has claimed it; Error{Resource} when it cannot be written.
  static FileClaim take(const std::filesystem::path& path);
  FileClaim(FileClaim&&) = default;
  FileClaim& operator=(FileClaim&&) = delete;
  ~FileClaim();

  void keep() { m_isKept = true; }

  /// True if a program, this one included, has claimed the file; false where the file
  /// system has no locks. Do not call this function while this process has the file open
  /// in SQLite: closing the file would drop SQLite's locks.
  static bool isHeld(const std::filesystem::path& path);

  /// Removes the file and its journal; ignores failures to remove them.
  /// @throws Error{BadInput} when a program has claimed the file.
  static void removeUnheld(const std::filesystem::path& path);

  /// What happened to the file since it was claimed: "was removed", "was replaced by
  /// another file" or, if it is shorter than `least` bytes, "was truncated"; otherwise
  /// empty.
  std::string loss(std::int64_t least) const;

 private:
  FileClaim(std::filesystem::path path, Descriptor file);

  std::filesystem::path m_path;
  Descriptor m_file;
  bool m_isKept = false;
};

}  // namespace equipatch
