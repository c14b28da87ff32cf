// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace equipatch {

/// A new folder that only this user can read. The destructor removes it with its content.
class TemporaryFolder {
 public:
  /// In the system's folder for temporary files (TMPDIR).
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

/// Folders for temporary files, in order of preference.
std::vector<std::filesystem::path> temporaryPlaces();

/// The first of `places` that is on a disk (some systems keep /tmp in memory), has room
/// for `bytes` bytes and can be written. Creates a missing place if its parent exists.
/// @throws Error{Resource} that says for each place why it cannot be used.
std::filesystem::path folderOnDisk(const std::vector<std::filesystem::path>& places,
                                   std::uintmax_t bytes);

}  // namespace equipatch
