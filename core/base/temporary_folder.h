// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace equipatch {

/// A new folder that only this user can read, removed with its content on destruction. It
/// is created in the system's folder for temporary files (TMPDIR) or in a given folder.
class TemporaryFolder {
 public:
  /// @throws Error{Resource} when the folder cannot be created.
  TemporaryFolder();
  explicit TemporaryFolder(const std::filesystem::path& parent);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

/// Folders for temporary files in order of preference: the system's (TMPDIR), /var/tmp,
/// the user's cache folder.
std::vector<std::filesystem::path> temporaryPlaces();

/// The first of `places` that is on a disk, has room for `bytes` bytes and can be
/// written. Creates a missing place if its parent folder exists. Some systems keep /tmp
/// in memory: Debian 13 does, Debian 12 does not.
/// @throws Error{Resource} with the reason for each place.
std::filesystem::path folderOnDisk(const std::vector<std::filesystem::path>& places,
                                   std::uintmax_t bytes);

}  // namespace equipatch
