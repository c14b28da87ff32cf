// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace equipatch {

/// Folders that models were loaded from, latest first. Command line and window share the
/// list, a JSON file in the user's data folder.
class UsedFolders {
 public:
  static constexpr std::size_t kMost = 16;

  /// @param file may be missing; an empty path disables the list.
  explicit UsedFolders(std::filesystem::path file = defaultFile());
  static std::filesystem::path defaultFile();

  /// Absolute paths; empty when the file is missing or damaged.
  std::vector<std::filesystem::path> all() const;
  /// Moves a folder to the front of the list.
  /// @returns false when the list cannot be written; callers continue without it.
  bool add(const std::filesystem::path& folder) const;
  /// Removes a folder from the list, not from the disk.
  /// @returns whether it was listed
  /// @throws Error{Resource} when the list cannot be written.
  bool forget(const std::filesystem::path& folder) const;

 private:
  bool save(const std::vector<std::filesystem::path>& folders) const;

  std::filesystem::path m_file;
};

}  // namespace equipatch
