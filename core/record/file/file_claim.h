// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/descriptor.h"

namespace equipatch {

/// Claims a file that is recorded into, so that no other Equipatch program replaces it or
/// records into it. The destructor removes a new file and SQLite's journal unless `keep`
/// was called: a recording that cannot start leaves the name free. The claim is a file
/// lock on one byte far beyond those that SQLite locks; the system releases it when the
/// process ends, also by a crash. Destroy the claim after SQLite's connection, because
/// closing a descriptor drops all POSIX locks that the process holds on the file.
class FileClaim {
 public:
  /// Creates the file. @throws Error{BadInput} when the name is empty, the file exists
  /// already or another program claims it first; Error{Resource} when it cannot be
  /// written.
  static FileClaim create(const std::filesystem::path& path);
  /// Claims an existing file, which then stays when the claim ends.
  /// @throws Error{BadInput} when there is none or another claim holds it, of this
  /// program or another; Error{Resource} when it cannot be written.
  static FileClaim take(const std::filesystem::path& path);
  FileClaim(FileClaim&&) = default;
  FileClaim& operator=(FileClaim&&) = delete;
  ~FileClaim();

  /// Lets the file stay when the claim ends.
  void keep() { m_isKept = true; }

  /// True if a program, this one included, holds a claim to the file. False where the
  /// file system has no locks. Opens and closes the file: do not call it for one that
  /// this process has open in SQLite, whose locks it would drop.
  static bool isHeld(const std::filesystem::path& path);

  /// Removes the file of that name and its journal, if there is one. A file that cannot
  /// be removed stays. @throws Error{BadInput} when a program holds a claim.
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
