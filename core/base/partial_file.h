// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <system_error>

namespace equipatch {

/// A temporary file in the folder of its target, under an unused name:
/// "NAME.partial-1a2b3c4d", where a long NAME is cut. The destructor removes it unless
/// `putInPlace` renamed it to the target.
class PartialFile {
 public:
  /// @throws Error{Resource} when the temporary file cannot be created; Error{BadInput}
  /// when the path `target` is empty or leads to a pipe or a device
  explicit PartialFile(std::filesystem::path target);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::filesystem::path& target() const { return m_target; }
  /// The temporary file.
  const std::filesystem::path& path() const { return m_path; }
  /// Flushes the content to the disk, then renames the file to the target; close all
  /// streams to the file first. After a loss of power the target is the whole old file or
  /// the whole new one. Replaces a symbolic link there, not the file that the link leads
  /// to. Fails if a folder is there. @returns the system's error, if any
  std::error_code putInPlace();

 private:
  std::filesystem::path m_target;
  std::filesystem::path m_path;
  bool m_isInPlace = false;
};

}  // namespace equipatch
